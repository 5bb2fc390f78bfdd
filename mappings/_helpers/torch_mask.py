import mindspore


def torch_mask(index):
    """A mask as an index: torch takes one of bytes (uint8) as truth values, which MindSpore refuses."""
    is_of_bytes = isinstance(index, mindspore.Tensor) and index.dtype == mindspore.uint8
    return index.bool() if is_of_bytes else index
