import mindspore


def torch_named_apart(params):
    """The parameters for an optimizer, each under a name of its own, as MindSpore wants them: two networks may have the
    same ones. Names in `state_dict()` stay as they are. A group keeps its own as a list, and can be given again."""
    names = set()
    found = []
    for group in [params] if isinstance(params, mindspore.Tensor) else list(params):
        inner = group["params"] if isinstance(group, dict) else [group]
        inner = [inner] if isinstance(inner, mindspore.Tensor) else list(inner)
        if isinstance(group, dict):
            group["params"] = inner
        for parameter in (one for one in inner if isinstance(one, mindspore.Parameter)):
            number, name = 1, parameter.name
            while parameter.name in names:
                number, parameter.name = number + 1, f"{number}.{name}"
            names.add(parameter.name)
        found += [dict(group)] if isinstance(group, dict) else inner
    return found
