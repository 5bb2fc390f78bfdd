import copy

import mindspore


def torch_layer_copies(layer, count):
    """Copies of a layer, whose parameters are called as if each had been made anew."""
    copies = [copy.deepcopy(layer) for _ in range(count)]
    for one in copies:
        for name, parameter in one.parameters_and_names():
            parameter.name = name
    return mindspore.nn.CellList(copies)
