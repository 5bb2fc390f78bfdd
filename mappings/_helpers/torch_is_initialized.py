import os

import mindspore


def torch_is_initialized():
    """PyTorch's distributed.is_initialized. A process that is alone needs no group in MindSpore; that it has asked for
    one stands in its environment, for all files."""
    return "GROUP_OF_ONE" in os.environ or mindspore.mint.distributed.is_initialized()
