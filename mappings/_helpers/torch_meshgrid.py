import mindspore


def torch_meshgrid(*tensors, indexing="ij"):
    """PyTorch's meshgrid, of vectors that are given one by one or as one list."""
    vectors = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)) else tensors
    if len(vectors) == 1:
        return (vectors[0].reshape(-1),)
    return mindspore.ops.meshgrid(*vectors, indexing=indexing or "ij")
