def torch_output_padding(input, output_size, kernel_size, stride, padding, dilation):
    """What a transposed convolution adds at the end of each axis for its result to get the wanted size."""
    wanted = tuple(output_size)[-len(stride) :]
    extra = []
    for axis, size in enumerate(wanted):
        length = input.shape[axis - len(stride)]
        reached = (
            (length - 1) * stride[axis] - 2 * padding[axis] + dilation[axis] * (kernel_size[axis] - 1) + 1
        )
        if not 0 <= size - reached < stride[axis]:
            raise ValueError(
                f"a size of {size} is asked for where {reached} to {reached + stride[axis] - 1} can be"
            )
        extra.append(size - reached)
    return tuple(extra)
