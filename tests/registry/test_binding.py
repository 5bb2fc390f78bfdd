"""Arguments to parameters, and which overload a call takes."""

from __future__ import annotations

import msgspec
import pytest

from mindport.model.verdict import Certainty
from mindport.registry import torch_facts
from mindport.registry.binding import MatchingOverloads, bind
from mindport.registry.signature import parse_signature


class Word(msgspec.Struct, frozen=True):
    """A kind told by its word."""

    value: str


class Passed(msgspec.Struct, frozen=True):
    """As much of an argument as binding asks for."""

    keyword: str | None
    star: int
    kind: Word


def passed(text: str) -> list[Passed]:
    """`tensor int dim=int *sequence **other`: one word for each argument."""
    found = []
    for word in text.split():
        star = 2 if word.startswith("**") else 1 if word.startswith("*") else 0
        keyword, _, kind = word.lstrip("*").rpartition("=")
        found.append(Passed(keyword or None, star, Word(kind)))
    return found


def bound(name: str, call: str) -> MatchingOverloads:
    return bind(torch_facts().signatures(name), passed(call))


CHOSEN = [
    ("torch.max", "tensor", 0, {"input": (0,)}),
    ("torch.max", "tensor tensor", 1, {"input": (0,), "other": (1,)}),
    ("torch.max", "tensor int", 2, {"input": (0,), "dim": (1,)}),
    ("torch.max", "unknown dim=unknown", 2, {"input": (0,), "dim": (1,)}),
    ("torch.max", "tensor axis=int", 2, {"input": (0,), "dim": (1,)}),
    ("torch.sum", "tensor", 0, {"input": (0,)}),
    ("torch.sum", "tensor sequence keepdim=bool", 1, {"input": (0,), "dim": (1,), "keepdim": (2,)}),
    ("torch.Tensor.view", "int int", 2, {"size": (0, 1)}),
    ("torch.Tensor.view", "sequence", 1, {"size": (0,)}),
    ("torch.Tensor.view", "dtype", 0, {"dtype": (0,)}),
    ("torch.Tensor.to", "dtype", 0, {"dtype": (0,)}),
    ("torch.Tensor.to", "device", 1, {"device": (0,)}),
    ("torch.Tensor.to", "str", 1, {"device": (0,)}),
    ("torch.Tensor.to", "device dtype", 1, {"device": (0,), "dtype": (1,)}),
    ("torch.Tensor.to", "tensor", 2, {"other": (0,)}),
    ("torch.cat", "sequence dim=int", 0, {"tensors": (0,), "dim": (1,)}),
    ("torch.cat", "unknown", 0, {"tensors": (0,)}),
    ("torch.arange", "int int", 1, {"start": (0,), "end": (1,)}),
    (
        "torch.nn.Conv2d",
        "int int kernel_size=int",
        0,
        {"in_channels": (0,), "out_channels": (1,), "kernel_size": (2,)},
    ),
    (
        "torch.nn.Conv2d",
        "tensor str int",
        0,
        {"in_channels": (0,), "out_channels": (1,), "kernel_size": (2,)},
    ),
    ("torch.nn.functional.max_pool2d", "tensor int", 0, {"input": (0,), "kernel_size": (1,)}),
]


@pytest.mark.parametrize(("name", "call", "index", "arguments"), CHOSEN)
def test_chosen(name: str, call: str, index: int, arguments: dict[str, tuple[int, ...]]) -> None:
    chosen = bound(name, call).chosen
    assert chosen is not None
    assert (chosen.index, chosen.arguments) == (index, arguments)


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("torch.max", "unknown unknown"),
        ("torch.Tensor.view", "unknown"),
        ("torch.Tensor.view", "*unknown"),
        ("torch.Tensor.to", "unknown"),
        ("torch.sum", "*sequence"),
        ("torch.max", "tensor **other"),
    ],
)
def test_open(name: str, call: str) -> None:
    binding = bound(name, call)
    assert binding.chosen is None
    assert len(binding.possible) > 1


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("torch.nn.Conv2d", "int"),
        ("torch.nn.Conv2d", "int int int nope=int"),
        ("torch.cat", "sequence tensors=sequence"),
        ("torch.relu", "tensor int"),
        ("torch.nope", "tensor"),
    ],
)
def test_no_signature_fits(name: str, call: str) -> None:
    binding = bound(name, call)
    assert binding.possible == ()
    assert binding.chosen is None


def test_stars_leave_parameters_open() -> None:
    signature = parse_signature("(a, b=1, *rest, c=2, **more)")
    (overload,) = bind([signature], passed("int *sequence")).possible
    assert (overload.arguments, overload.open_parameters) == ({"a": (0,)}, {"b", "rest"})
    assert overload.certainty is Certainty.UNKNOWN
    (overload,) = bind([signature], passed("int **other")).possible
    assert overload.open_parameters == {"b", "c", "more"}
    (overload,) = bind([signature], passed("int int int c=int d=int")).possible
    assert overload.arguments == {"a": (0,), "b": (1,), "rest": (2,), "c": (3,), "more": (4,)}
    assert overload.open_parameters == frozenset()
    assert overload.certainty is Certainty.TRUE


def test_positional_only_and_keyword_only() -> None:
    signature = parse_signature("(a, /, b, *, c=0)")
    assert bind([signature], passed("int b=int c=int")).chosen is not None
    assert not bind([signature], passed("a=int b=int")).possible
    assert not bind([signature], passed("int int int")).possible


def test_kinds_never_rule_out_the_last_signature() -> None:
    signatures = [parse_signature("(a: int)"), parse_signature("(a: str)")]
    assert len(bind(signatures, passed("module")).possible) == 2
    assert bind(signatures, passed("module")).chosen is None
    chosen = bind(signatures, passed("str")).chosen
    assert chosen is not None and chosen.index == 1
