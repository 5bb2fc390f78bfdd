import mindspore


def torch_list_index(index):
    """A list as an index of a tensor: MindSpore refuses an empty one, and takes a tensor without numbers."""
    return mindspore.tensor(index, mindspore.int64) if isinstance(index, list) and not index else index
