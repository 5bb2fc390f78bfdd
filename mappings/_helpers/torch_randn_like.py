import mindspore


def torch_randn_like(input, *, dtype=None, layout=None, device=None, requires_grad=False, memory_format=None):
    """PyTorch's randn_like, where it is handed on."""
    if requires_grad:
        raise NotImplementedError(
            "MindSpore differentiates functions for their arguments; tensors have no such flag"
        )
    return mindspore.ops.randn(input.shape, dtype=input.dtype if dtype is None else dtype)
