import mindspore


def torch_einsum(equation, *operands):
    """PyTorch's einsum, by products of matrices, one operand after the other; the equation is a text."""
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = operands[0]
    steps, order = einsum_steps(equation, tuple([tuple(one.shape) for one in operands]))
    result = operands[0]
    for first, second in steps[0][0]:
        result = mindspore.ops.diagonal(result, 0, first, second)
    if steps[0][1]:
        result = result.sum(steps[0][1])
    for place in range(1, len(operands)):
        diagonals, summed, axes, shape, other_axes, other_shape, is_product, sums, joined, rest = steps[place]
        other = operands[place]
        for first, second in diagonals:
            other = mindspore.ops.diagonal(other, 0, first, second)
        if summed:
            other = other.sum(summed)
        if axes:
            result = result.permute(axes)
        if other_axes:
            other = other.permute(other_axes)
        result, other = result.reshape(shape), other.reshape(other_shape)
        result = mindspore.ops.matmul(result, other) if is_product else torch_complex_product(result, other)
        if sums:
            result = result.sum(sums)
        result = result.reshape(joined)
        if rest:
            result = result.sum(rest)
    return result.permute(order) if order else result
