"""Runs one training program and prints its losses as JSON: `losses_of.py torch|mindspore PROGRAM ARRAYS`.

The program has `networks()` and `run(*networks, arrays)`. The weights are set from the arrays `weights_0`, `weights_1`
and so on, in the order of the parameters, which is the same in both frameworks. The other one cannot be imported."""

import importlib
import itertools
import json
import sys
from pathlib import Path


def parameters(framework, network):
    """The trainable parameters by name, in the order of the layers."""
    if framework == "torch":
        return list(network.named_parameters())
    found = [(name, one) for name, one in network.parameters_and_names() if one.requires_grad]
    layers = itertools.groupby(found, lambda pair: pair[0].rpartition(".")[0])
    return [pair for _, layer in layers for pair in sorted(layer, key=of_recurrence)]


def of_recurrence(pair):
    """The layer and direction of a recurrent weight, such as l1_reverse: MindSpore has all of one kind in a row, torch
    all of one layer."""
    kind, mark, place = pair[0].rpartition(".")[2].rpartition("_l")
    return place if mark and kind in ("weight_ih", "weight_hh", "bias_ih", "bias_hh") else ""


def set_weights(framework, networks, arrays):
    number = 0
    for network in networks:
        for _, parameter in parameters(framework, network):
            value = arrays[f"weights_{number}"].reshape(parameter.shape)
            if framework == "torch":
                import torch

                parameter.data.copy_(torch.from_numpy(value))
            else:
                import mindspore

                parameter.set_data(mindspore.Tensor(value))
            number += 1


def main():
    framework, program, arrays_file = sys.argv[1:]
    for other in {"torch": ["mindspore"], "mindspore": ["torch", "torchvision"]}[framework]:
        sys.modules[other] = None
    import numpy

    arrays = numpy.load(arrays_file)
    arrays = {name: arrays[name] for name in arrays.files}
    sys.path.insert(0, str(Path(program).parent))
    module = importlib.import_module(Path(program).stem)
    networks = module.networks()
    set_weights(framework, networks, arrays)
    losses = module.run(*networks, arrays)
    print("\n" + json.dumps([float(loss) for loss in losses]))


main()
