import mindspore
import mindspore.common.api


def torch_is_grad_enabled():
    """Whether what runs is recorded for a gradient around it, as PyTorch's is_grad_enabled."""
    return mindspore.common.api._pynative_executor.enable_grad()
