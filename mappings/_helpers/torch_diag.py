import mindspore


def torch_diag(input, diagonal=0):
    """PyTorch's diag: a matrix with the vector on that diagonal, or a copy of the matrix's diagonal."""
    if input.ndim == 1:
        return mindspore.ops.diag_embed(input, diagonal)
    return mindspore.ops.diagonal(input, diagonal).copy()
