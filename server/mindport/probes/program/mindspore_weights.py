"""Puts torch's weights into the port: by name, where layers have other names for the same thing; what is left by
order, where the sizes say so."""

from __future__ import annotations

from typing import Any

import mindspore

# What MindSpore's layers call their parameters and parts, and what torch's call them; by class, because a parameter of
# the user may be called gamma in both. No name: torch has no such part, BatchNorm3d keeps a BatchNorm2d inside. Classes
# that begin with Torch are mindport's own, put into the port.
_NORM = {"gamma": "weight", "beta": "bias", "moving_mean": "running_mean", "moving_variance": "running_var"}
_TRANSFORMER_LAYER = {"dense1": "linear1", "dense2": "linear2"}
_TORCH_NAMES = {
    "BatchNorm1d": _NORM,
    "BatchNorm2d": _NORM,
    "BatchNorm3d": {**_NORM, "bn2d": ""},
    "SyncBatchNorm": _NORM,
    "LayerNorm": _NORM,
    "GroupNorm": _NORM,
    "InstanceNorm1d": _NORM,
    "InstanceNorm2d": _NORM,
    "InstanceNorm3d": _NORM,
    "Embedding": {"embedding_table": "weight"},
    "EmbeddingLookup": {"embedding_table": "weight"},
    "PReLU": {"w": "weight"},
    "TransformerEncoderLayer": _TRANSFORMER_LAYER,
    "TransformerDecoderLayer": _TRANSFORMER_LAYER,
    "TorchSyncBatchNorm": {"norm": ""},
}


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
        left[torch_name(model, path)] = parameter
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


def torch_name(model: Any, path: str) -> str:
    """What torch calls the parameter or buffer of the port at this path."""
    names = []
    owner = model
    for part in path.split("."):
        names.append(_names_in(owner).get(part, part))
        owner = getattr(owner, part, None)
    return ".".join(name for name in names if name)


def _names_in(owner: Any) -> dict[str, str]:
    for kind in type(owner).__mro__:
        is_known = kind.__module__.startswith("mindspore.nn.") or kind.__name__.startswith("Torch")
        if is_known and kind.__name__ in _TORCH_NAMES:
            return _TORCH_NAMES[kind.__name__]
    return {}
