import mindspore


def torch_instance_norm(
    input,
    running_mean=None,
    running_var=None,
    weight=None,
    bias=None,
    use_input_stats=True,
    momentum=0.1,
    eps=1e-5,
):
    """PyTorch's instance_norm: every channel of every sample by itself; the running statistics are updated."""
    axes, shape = tuple(range(2, input.ndim)), (1, -1) + (1,) * (input.ndim - 2)
    if use_input_stats:
        mean = mindspore.ops.mean(input, axes, True)
        variance = mindspore.ops.mean((input - mean) ** 2, axes, True)
        count = input.size // (input.shape[0] * input.shape[1])
        for kept, new in ((running_mean, mean), (running_var, variance * (count / (count - 1)))):
            if kept is not None:
                new = mindspore.ops.stop_gradient(new).mean(0).reshape(-1)
                kept[()] = (1 - momentum) * kept + momentum * new
    else:
        mean, variance = running_mean.reshape(shape), running_var.reshape(shape)
    output = (input - mean) / mindspore.ops.sqrt(variance + eps)
    output = output if weight is None else output * weight.reshape(shape)
    return output if bias is None else output + bias.reshape(shape)
