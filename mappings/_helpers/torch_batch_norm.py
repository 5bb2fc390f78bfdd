import mindspore


def torch_batch_norm(
    input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5
):
    """PyTorch's batch_norm: statistics, weight and bias may be None; the running statistics are updated."""
    axes, shape = (0, *range(2, input.ndim)), (1, -1) + (1,) * (input.ndim - 2)
    if input.ndim == 1:
        shape = (-1,)
    if training:
        mean = mindspore.ops.mean(input, axes, True)
        variance = mindspore.ops.mean((input - mean) ** 2, axes, True)
        count = input.size // input.shape[1]
        for kept, new in ((running_mean, mean), (running_var, variance * (count / (count - 1)))):
            if kept is not None:
                kept[()] = (1 - momentum) * kept + momentum * mindspore.ops.stop_gradient(new).reshape(-1)
    else:
        mean, variance = running_mean.reshape(shape), running_var.reshape(shape)
    output = (input - mean) / mindspore.ops.sqrt(variance + eps)
    output = output if weight is None else output * weight.reshape(shape)
    return output if bias is None else output + bias.reshape(shape)
