import mindspore


def torch_variable(data, requires_grad=False, volatile=False):
    """PyTorch's old wrapper around tensors, for options that are handed on: the same data without its history."""
    if requires_grad:
        raise NotImplementedError(
            "nothing is marked for gradients: name what to differentiate by to mindspore.grad"
        )
    return mindspore.ops.stop_gradient(data)
