def torch_made_again(recorded, kind, groups, settings, state_dict):
    """An optimizer of a saved object, which `recorded(kind)` makes of its parameters and settings; what it kept of them
    comes with `state_dict`."""
    args, kwargs = settings
    optimizer = recorded(kind)(groups, *args, **kwargs)
    torch_load_optimizer_state(optimizer, state_dict)
    return optimizer
