def torch_tree_map_only(type_or_types_or_pred, func, tree, is_leaf=None):
    """PyTorch's tree_map_only: a function on the leaves of some classes, or that fulfil something; the rest stays."""
    asked = type_or_types_or_pred
    is_asked = (
        (lambda leaf: isinstance(leaf, asked))
        if isinstance(asked, (type, tuple)) or not callable(asked)
        else asked
    )
    return torch_tree_map(lambda leaf: func(leaf) if is_asked(leaf) else leaf, tree, is_leaf=is_leaf)
