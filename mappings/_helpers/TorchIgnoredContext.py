import contextlib

import mindspore


@mindspore.jit_class
class TorchIgnoredContext(contextlib.ContextDecorator):
    """A block or decorator of PyTorch that MindSpore has no use for: what is inside runs as it would without."""

    def __init__(self, *arguments, **options):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None
