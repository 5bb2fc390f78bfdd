def torch_not_none(obj):
    """The object, unless it is None, which raises."""
    if obj is None:
        raise TypeError("Invariant encountered: value was None when it should not be")
    return obj
