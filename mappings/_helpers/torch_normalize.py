import mindspore


def torch_normalize(input, p=2.0, dim=1, eps=1e-12, out=None):
    """PyTorch's normalize, where what it is called with is not seen."""
    if out is not None:
        raise NotImplementedError("MindSpore returns a new tensor; it cannot write into a given one")
    if p == 2:
        # The limit stands below the root, so that vectors of zeros have PyTorch's gradient.
        squares = mindspore.ops.sum(mindspore.ops.square(input), dim, keepdim=True)
        return input / mindspore.ops.sqrt(squares.clamp(eps**2))
    return input / mindspore.ops.norm(input, p, dim, keepdim=True).clamp(eps)
