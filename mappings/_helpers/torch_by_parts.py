import mindspore


def torch_by_parts(function, input, *args):
    """`function(input, *args)` of a tensor that may be complex, which the function of MindSpore refuses: of the real
    and of the imaginary part."""
    if not input.is_complex():
        return function(input, *args)
    parts = (mindspore.ops.real(input), mindspore.ops.imag(input))
    return mindspore.ops.Complex()(*(function(part, *args) for part in parts))
