"""Tells parameters of a value that may be one of several kinds of layers: `layers[i].weight` of a list of convolutions
and norms."""

from __future__ import annotations

from collections.abc import Iterable

# The sign of a member that layers of several kinds have under one name in torch.
MIXED = frozenset({"mixed"})

# Stands for the classes of the project that give the member themselves, by the name that it has in torch, and for what
# may be any layer.
OWN_LAYER = "project.Module"

NORM_AROUND_ANOTHER = "BatchNorm3d"
"""The norm that keeps its parameters in a cell of its own in MindSpore. Both frameworks call it so."""

_PARAMETERS = ("weight", "bias")


def of_mixed_layers(found: Iterable[tuple[str, int]]) -> tuple[str, int] | None:
    """Of the canonical names of a member, each with how sure it is, the one that stands for all where they are
    parameters of layers of several kinds; None where they are not. It is the one of a norm or a table: what is asked
    of layers of other kinds holds for all of those."""
    parameters = [one for one in found if one[0].rpartition(".")[2] in _PARAMETERS]
    by_kind = {_kind(api): (api, level) for api, level in reversed(parameters)}
    return by_kind[max(by_kind)] if len(by_kind) > 1 else None


def _kind(api: str) -> str:
    owner = api.split(".")[-2]
    if owner in ("Embedding", "GroupNorm", "PReLU"):
        return owner
    if owner == NORM_AROUND_ANOTHER:
        return "norm in a norm"
    return "norm" if owner.endswith(("Norm", "Norm1d", "Norm2d", "Norm3d")) else ""
