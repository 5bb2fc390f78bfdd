def torch_tree_flatten(tree, is_leaf=None):
    """PyTorch's tree_flatten: the leaves of nested containers, and how these are built."""
    leaves = []
    spec = TorchTreeSpec.of(tree, leaves, is_leaf)
    return leaves, spec
