def torch_moment(distribution, *names):
    """What a distribution has under the first of these names that it knows: a method of MindSpore's distributions, or a
    value."""
    value = next(getattr(distribution, name) for name in names if hasattr(distribution, name))
    return value() if callable(value) else value
