def torch_tree_structure(tree, is_leaf=None):
    """PyTorch's tree_structure: how nested containers are built, without their leaves."""
    return torch_tree_flatten(tree, is_leaf)[1]
