import mindspore


def torch_as_parameters(params, twins):
    """The parameters for an optimizer, where plain tensors are among them (`torch.zeros(3, requires_grad=True)`): each
    of those gets a parameter that stands for it, which `twins` keeps with it. A group keeps its own as a list."""

    def parameter(one):
        if isinstance(one, mindspore.Parameter):
            return one
        if id(one) not in twins:
            twins[id(one)] = one, mindspore.Parameter(one.copy(), name=f"tensor.{len(twins)}")
        return twins[id(one)][1]

    found = []
    for group in [params] if isinstance(params, mindspore.Tensor) else list(params):
        if isinstance(group, dict):
            inner = group["params"]
            group["params"] = [inner] if isinstance(inner, mindspore.Tensor) else list(inner)
            found.append({**group, "params": [parameter(one) for one in group["params"]]})
        else:
            found.append(parameter(group))
    return found
