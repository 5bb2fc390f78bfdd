import os

import mindspore


def torch_step(optimizer, gradients):
    """Calls an optimizer for parameters that may have got other memory since its last step, see torch_keep_place.

    More than 300 parameters are not compiled: that takes minutes, and some hundreds more exceed a limit of calls. Such
    a step is lost on what was written as a whole by an index, until its data are set."""
    for group in getattr(optimizer, "param_groups", ()):
        for name in ("weight_decay", "momentum", "dampening"):
            if isinstance(group.get(name), int):  # a kernel of SGD takes floats alone
                group[name] = float(group[name])
    for parameter, place in zip(optimizer.parameters, vars(optimizer).get("torch_places", ())):
        is_another = (parameter.shape, parameter.dtype) != (place.shape, place.dtype)
        if is_another and parameter.data_ptr() != place.data_ptr():
            raise RuntimeError(
                f"{parameter.name} has another shape or type than at the last step of its optimizer:"
                " make the optimizer anew"
            )
        torch_keep_place(parameter, place)
    for parameter, name in zip(optimizer.parameters, vars(optimizer).get("torch_names", ())):
        if parameter.name != name:  # a part that a network is called by, `self.layers[:-1]`, gave it another
            parameter.name = name
    compiled = os.environ.get("MS_JIT", "1")
    os.environ["MS_JIT"] = "0" if len(gradients) > 300 else compiled
    if os.environ["MS_JIT"] == "0":
        for parameter in optimizer.parameters:
            parameter.set_data(parameter.value())
    try:
        optimizer(gradients)
    finally:
        os.environ["MS_JIT"] = compiled
    vars(optimizer)["torch_places"] = [mindspore.Tensor(one) for one in optimizer.parameters]
