import os

import mindspore


def torch_destroy_process_group(group=None):
    """PyTorch's distributed.destroy_process_group: ends the group where there is one."""
    os.environ.pop("GROUP_OF_ONE", None)
    if mindspore.mint.distributed.is_initialized():
        mindspore.communication.release()
