def torch_tree_leaves(tree, is_leaf=None):
    """PyTorch's tree_leaves: what lies in nested containers, in one list."""
    return torch_tree_flatten(tree, is_leaf)[0]
