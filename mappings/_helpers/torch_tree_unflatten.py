def torch_tree_unflatten(leaves, treespec):
    """PyTorch's tree_unflatten: nested containers of this structure, with these leaves."""
    return treespec.unflatten(leaves)
