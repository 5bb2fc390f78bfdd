import copy

import mindspore


def torch_deepcopy(x, memo=None):
    """copy.deepcopy of what may hold tensors: MindSpore's share the memory of those that they are copies of, so that
    writing one in place writes both; here each gets its own, as in PyTorch."""
    memo = {} if memo is None else memo
    before = set(memo)
    copied = copy.deepcopy(x, memo)
    for one in [memo[key] for key in memo.keys() - before]:
        if isinstance(one, mindspore.Tensor) and not isinstance(one, mindspore.Parameter):
            one.assign_value(one.copy())
    return copied
