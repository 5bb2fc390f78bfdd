"""Rewrites training steps: `backward()` and `step()` become the gradient of a function and a call of the optimizer."""
