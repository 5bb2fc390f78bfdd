"""Reading signature lines and annotations."""

from __future__ import annotations

import pytest

from mindport.registry.returns import ReturnKind, Returns, parse_returns
from mindport.registry.signature import ParameterKind, parse_signature

TENSOR = Returns(ReturnKind.TENSOR)
FIELDS = {"max": ("values", "indices")}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Tensor", TENSOR),
        ("torch.Tensor", TENSOR),
        ("'Tensor'", TENSOR),
        ("Tensor | None", Returns(ReturnKind.TENSOR, optional=True)),
        ("Optional[Tensor]", Returns(ReturnKind.TENSOR, optional=True)),
        ("Union[int, float]", Returns(ReturnKind.NUMBER)),
        ("tuple[Tensor, Tensor]", Returns(ReturnKind.TUPLE, items=(TENSOR, TENSOR))),
        ("(Tensor, Tensor)", Returns(ReturnKind.TUPLE, items=(TENSOR, TENSOR))),
        ("tuple[Tensor, ...]", Returns(ReturnKind.SEQUENCE, items=(TENSOR,))),
        ("list[Tensor]", Returns(ReturnKind.SEQUENCE, items=(TENSOR,))),
        ("dict[str, Tensor]", Returns(ReturnKind.MAPPING, items=(Returns(ReturnKind.STR), TENSOR))),
        (
            "return_types.max",
            Returns(ReturnKind.TUPLE, "torch.return_types.max", (TENSOR, TENSOR), FIELDS["max"]),
        ),
        ("Self", Returns(ReturnKind.SELF)),
        ("None", Returns(ReturnKind.NONE)),
        ("Literal['a', 'b']", Returns(ReturnKind.STR)),
        ("Callable[[int], int]", Returns(ReturnKind.CALLABLE)),
        ("Size", Returns(ReturnKind.SIZE)),
        ("Tensor | int", Returns(ReturnKind.UNKNOWN)),
        ("Any", Returns(ReturnKind.UNKNOWN)),
        ("", Returns(ReturnKind.UNKNOWN)),
        ("not an annotation", Returns(ReturnKind.UNKNOWN)),
    ],
)
def test_parse_returns(text: str, expected: Returns) -> None:
    assert parse_returns(text, FIELDS) == expected


def test_parse_signature() -> None:
    signature = parse_signature("(a: Tensor, /, b: int | None = None, *c: int, d: str='x', **e) -> Tensor")
    assert [(each.name, each.kind, each.default) for each in signature.parameters] == [
        ("a", ParameterKind.POSITIONAL_ONLY, None),
        ("b", ParameterKind.POSITIONAL_OR_KEYWORD, "None"),
        ("c", ParameterKind.VAR_POSITIONAL, None),
        ("d", ParameterKind.KEYWORD_ONLY, "'x'"),
        ("e", ParameterKind.VAR_KEYWORD, None),
    ]
    assert [each.is_required for each in signature.parameters] == [True, False, False, False, False]
    assert signature.returns == TENSOR
    assert signature.parameter("b") is not None and signature.parameter("z") is None


@pytest.mark.parametrize(
    ("annotation", "accepts"),
    [
        ("Tensor", {"tensor"}),
        ("int", {"int", "bool"}),
        ("int | size", {"int", "bool", "sequence"}),
        ("dtype | None", {"dtype", "none"}),
        ("Optional[Tensor]", {"tensor", "none"}),
        ("Sequence[int]", {"sequence"}),
        ("Literal[True]", {"bool"}),
        ("Any", set()),
        ("int | Something", set()),
    ],
)
def test_what_a_parameter_accepts(annotation: str, accepts: set[str]) -> None:
    assert set(parse_signature(f"(a: {annotation})").parameters[0].accepts) == accepts


def test_none_as_default_is_accepted() -> None:
    assert set(parse_signature("(a: Tensor = None)").parameters[0].accepts) == {"tensor", "none"}
