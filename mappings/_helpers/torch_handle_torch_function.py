def torch_handle_torch_function(public_api, relevant_args, *args, **kwargs):
    """PyTorch's handle_torch_function: lets the first of the arguments that can, subclasses first, do the call."""
    able = []
    for arg in relevant_args:
        if hasattr(type(arg), "__torch_function__") and type(arg) not in map(type, able):
            place = next((i for i, one in enumerate(able) if isinstance(arg, type(one))), len(able))
            able.insert(place, arg)
    types = tuple(map(type, able))
    for arg in able:
        result = arg.__torch_function__(public_api, types, args, kwargs)
        if result is not NotImplemented:
            return result
    raise TypeError(
        f"no implementation found for {public_api} on types that implement __torch_function__: {types}"
    )
