"""What the probe `trace` is made of: where a call stands, what values were, and what is kept of them."""
