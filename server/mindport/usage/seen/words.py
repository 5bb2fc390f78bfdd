"""What was seen at one place, in words for people."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from mindport.usage.seen.run import SeenCall, SeenValue

_MOST_VALUES = 3
_LONGEST = 60


def words_of(call: SeenCall, written: int, keywords: Collection[str]) -> Iterator[str]:
    """The first `written` values of a call, those of these keywords, and the result: `float32[*, 48]`, `dim=1`."""
    yield from map(value_words, call.arguments[:written])
    for name, value in call.keywords.items():
        if name in keywords:
            yield f"{name}={value_words(value)}"
    if call.result is not None:
        yield f"-> {value_words(call.result)}"


def value_words(value: SeenValue) -> str:
    """One value: `float32[*, 48]`, `1 or 2`, `Linear`."""
    if value.values:
        shown = " or ".join(map(_literal, value.values[:_MOST_VALUES]))
        text = shown + (" ..." if len(value.values) > _MOST_VALUES else "")
        if len(text) <= _LONGEST:
            return text
    names = [_tensor(value) if one == "torch.Tensor" else _class_name(one) for one in value.types]
    return " or ".join(dict.fromkeys(names))


def _tensor(value: SeenValue) -> str:
    seen = value.tensor
    if seen is None:
        return "Tensor"
    dtypes = "/".join(one.removeprefix("torch.") for one in seen.dtypes)
    shape = "..." if seen.shape is None else ", ".join("*" if one is None else str(one) for one in seen.shape)
    return f"{dtypes}[{shape}]"


def _class_name(name: str) -> str:
    return name.rpartition(":")[2].rpartition(".")[2] or name


def _literal(value: object) -> str:
    match value:
        case dict():
            return str(value.get("torch", ""))
        case list():
            return f"({', '.join(_literal(one) for one in value)})"
    return repr(value)
