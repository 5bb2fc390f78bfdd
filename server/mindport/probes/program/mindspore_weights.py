"""Puts torch's weights into the port: by name, where layers have other names for the same thing; what is left by
order, where the sizes say so."""

from __future__ import annotations

from typing import Any

import mindspore

# MindSpore's names of the same thing, by the last part of the path.
TORCH_NAMES = {
    "gamma": "weight",
    "beta": "bias",
    "moving_mean": "running_mean",
    "moving_variance": "running_var",
    "embedding_table": "weight",
}
# BatchNorm3d keeps a BatchNorm2d inside, InstanceNorm and the like may have a norm of their own inside.
_INNER_LAYERS = (".bn2d.", ".norm_layer.")


class WeightsError(Exception):
    """A weight of torch has no place in the port; the message names it."""


def load_weights(model: Any, reference: dict[str, Any]) -> dict[str, Any]:
    """Set every `weight:NAME` of the reference; gives torch's name -> parameter. Raises WeightsError."""
    learned = set(reference["learned"].tolist())
    places = pair(
        {name[7:]: value for name, value in reference.items() if name.startswith("weight:")}, learned, model
    )
    for name, parameter in places.items():
        array = reference[f"weight:{name}"].reshape(parameter.shape)
        parameter.set_data(mindspore.Tensor(array).astype(parameter.dtype))
    return places


def pair(expected: dict[str, Any], learned: set[str], model: Any) -> dict[str, Any]:
    """Which parameter of the port each weight of torch belongs to. Raises WeightsError."""
    left: dict[str, Any] = {}
    for path, parameter in model.parameters_and_names():
        left[torch_name(path)] = parameter
    places: dict[str, Any] = {}
    for name, array in expected.items():
        if name in left and left[name].size == array.size:
            places[name] = left.pop(name)
    for name, array in expected.items():
        if name in places:
            continue
        fitting = [path for path, parameter in left.items() if parameter.size == array.size]
        inside = name.rpartition(".")[0]
        near = [path for path in fitting if path.startswith(f"{inside}.")] or fitting
        if near:
            places[name] = left.pop(near[0])
        elif name in learned:
            raise WeightsError(f"no parameter of the port takes {name} with shape {array.shape}")
    extra = [path for path, parameter in left.items() if parameter.requires_grad and parameter.size > 1]
    if extra and len(places) < len(expected):
        raise WeightsError(f"the port has parameters that torch has not: {', '.join(extra[:5])}")
    return places


def torch_name(path: str) -> str:
    """What torch calls the parameter at this path."""
    for inner in _INNER_LAYERS:
        path = path.replace(inner, ".")
    head, dot, last = path.rpartition(".")
    return f"{head}{dot}{TORCH_NAMES.get(last, last)}"
