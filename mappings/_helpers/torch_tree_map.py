def torch_tree_map(func, tree, *rests, is_leaf=None):
    """PyTorch's tree_map: containers of the same structure, with what a function makes of each leaf.

    Each of `rests` gives the function one more argument: what it has where the first has this leaf.
    """
    leaves, spec = torch_tree_flatten(tree, is_leaf)
    return spec.unflatten(func(*each) for each in zip(leaves, *(spec.flatten_up_to(rest) for rest in rests)))
