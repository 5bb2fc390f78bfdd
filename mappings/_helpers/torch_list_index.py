import mindspore


def torch_list_index(index):
    """A list as an index of a tensor; one that chooses nothing as a tensor without numbers."""
    is_nothing = isinstance(index, list) and all(one is False for one in index)
    return mindspore.tensor([], mindspore.int64) if is_nothing else index
