import contextlib

import mindspore


class TorchForkRng(contextlib.ContextDecorator):
    """PyTorch's fork_rng: what is drawn inside, or seeded there, does not change what is drawn afterwards."""

    def __init__(self, devices=None, enabled=True, *unused, **ignored):
        self.enabled = enabled

    def __enter__(self):
        if self.enabled:
            self.afterwards = int(mindspore.ops.rand(1)[0] * 2**24)

    def __exit__(self, *unused):
        if self.enabled:
            mindspore.set_seed(self.afterwards)
