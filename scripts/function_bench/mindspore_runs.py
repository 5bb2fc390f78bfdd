"""Runs the ported functions in MindSpore on the samples that torch took.

    python mindspore_runs.py TASKS RESULTS START ROOT

An outcome has for each sample what differs, or what was raised and where, and the code below ROOT that ran."""

from __future__ import annotations

import sys
import warnings
from typing import Any

import mindspore
import numpy

from function_bench.both_sides import built, called, function_of, place_of, short, tensors_of, work_through
from mindport.probes.oracle.compare import ArrayValue, Comparison, compare
from mindport.probes.oracle.mindspore_side import observe, set_up

GRADIENT_SLACK = 25.0  # as in the oracle: a slope of tanh where it saturates
SLACK = 4.0  # functions of several steps add up what one kernel is off by
ROOT = sys.argv[4] if len(sys.argv) > 4 else ""
warnings.simplefilter("ignore")


def run(task: dict[str, Any]) -> dict[str, Any]:
    """One function with its samples."""
    try:
        target, method = function_of(task["file"], task["name"])
    except BaseException as error:  # noqa: BLE001  a module may raise anything, or end
        return {"import": short(error), "place": place_of(error, ROOT)}
    outcomes, ran = [], set[tuple[str, int, int]]()
    for number, sample in enumerate(task["samples"]):
        watch = _Watch(ran) if number < 4 else None
        sys.setprofile(watch)
        try:
            outcomes.append(_judged(target, method, sample))
        except BaseException as error:  # noqa: BLE001  the function may raise anything
            outcomes.append({"class": "raising", "message": short(error), "place": place_of(error, ROOT)})
        finally:
            sys.setprofile(None)
    return {"outcomes": outcomes, "ran": sorted(ran)}


class _Watch:
    """Notes the functions below ROOT that run, with their first and last lines."""

    def __init__(self, ran: set[tuple[str, int, int]]) -> None:
        self.ran = ran

    def __call__(self, frame: Any, event: str, argument: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(ROOT):
            lines = [line for _, _, line in code.co_lines() if line]
            self.ran.add((code.co_filename[len(ROOT) + 1 :], code.co_firstlineno, max(lines, default=0)))


def _judged(target: Any, method: str, sample: dict[str, Any]) -> dict[str, Any]:
    mindspore.set_seed(1)
    numpy.random.seed(1)
    __import__("random").seed(1)
    given = _values(sample["arguments"])
    result = observe(called(target, method, _values(sample["construction"]), dict(given)))
    values = not sample["random"]
    found = compare(sample["result"], result, values=values, slack=SLACK, place="result")
    if found.difference is not None:
        return _different(found, sample["result"], result, SLACK)
    left = observe(given)
    after = compare(sample["after"], left, values=values, slack=SLACK, place="arguments afterwards")
    if after.difference is not None:
        return _different(after, sample["after"], left, SLACK)
    remarks = [*found.remarks, *after.remarks]
    if sample["gradient"] is not None:
        try:
            slopes = _gradient(target, method, sample)
        except Exception as error:  # noqa: BLE001  MindSpore may raise anything
            place = place_of(error, ROOT)
            return {"class": "raising", "message": f"gradient: {short(error)}", "place": place}
        wanted = sample["gradient"]["slopes"]
        scale = max([0.1, *(float(numpy.abs(one.values).max(initial=0.0)) for one in wanted)])
        compared = compare(
            wanted, slopes, slack=GRADIENT_SLACK, place="gradient", least_scale=min(scale, 1.0)
        )
        if compared.difference is not None:
            judged = _different(compared, wanted, slopes, GRADIENT_SLACK)
            return {**judged, "class": "gradient" if judged["class"] == "different" else judged["class"]}
    return {"class": "dtype" if remarks else "equal", "message": "; ".join(dict.fromkeys(remarks))}


def _different(found: Comparison, wanted: Any, given: Any, slack: float) -> dict[str, Any]:
    assert found.difference is not None
    one = found.difference
    kind = "dtype" if "became" in one.message and _is_dtype(one.message) else "different"
    if kind == "different" and compare(*numbers_alone(wanted, given), slack=slack).difference is None:
        kind = "no number"
    return {"class": kind, "message": f"{one.place}: {one.message}"}


def numbers_alone(wanted: Any, given: Any) -> tuple[Any, ...]:
    """Both with 0 wherever neither has a number: NaN in one and an infinite number in the other are no numbers."""
    if isinstance(wanted, ArrayValue) and isinstance(given, ArrayValue):
        one, other = wanted.values, given.values
        if one.shape != other.shape or one.dtype.kind not in "fc" or other.dtype.kind not in "fc":
            return wanted, given
        is_none = ~numpy.isfinite(one) & ~numpy.isfinite(other)
        return tuple(one._replace(values=numpy.where(is_none, 0, one.values)) for one in (wanted, given))
    if isinstance(wanted, dict) and isinstance(given, dict) and wanted.keys() == given.keys():
        pairs = {key: numbers_alone(wanted[key], given[key]) for key in wanted}
        return {key: pair[0] for key, pair in pairs.items()}, {key: pair[1] for key, pair in pairs.items()}
    if isinstance(wanted, tuple) and isinstance(given, tuple) and len(wanted) == len(given):
        both = [numbers_alone(*pair) for pair in zip(wanted, given, strict=True)]
        return tuple(pair[0] for pair in both), tuple(pair[1] for pair in both)
    return wanted, given


def _is_dtype(message: str) -> bool:
    """Whether a difference is one of dtype alone."""
    words = message.split()
    names = (
        "float16",
        "float32",
        "float64",
        "int32",
        "int64",
        "uint8",
        "int8",
        "int16",
        "bool",
        "complex64",
        "complex128",
    )
    return len(words) == 3 and words[0] in names and words[2] in names


def _values(arguments: dict[str, Any]) -> dict[str, Any]:
    return {name: built(one, _tensor, _dtype) for name, one in arguments.items()}


def _tensor(array: Any) -> Any:
    return mindspore.Tensor(numpy.array(array))


def _dtype(name: str) -> Any:
    return getattr(mindspore, name)


def _gradient(target: Any, method: str, sample: dict[str, Any]) -> tuple[Any, ...]:
    leaves: list[Any] = []
    _values_with(sample["arguments"], lambda array: leaves.append(_tensor(array)))
    factors, connected = sample["gradient"]["factors"], sample["gradient"]["connected"]

    def combination(*values: Any) -> Any:
        copies = iter([value.copy() for value in values])
        given = _values_with(sample["arguments"], lambda array: next(copies))
        result = called(target, method, _values(sample["construction"]), given)
        outputs = [one for one in tensors_of(result, mindspore.Tensor) if one.is_floating_point()]
        pairs = [pair[:2] for pair in zip(outputs, factors, connected, strict=True) if pair[2]]
        return sum((one * mindspore.Tensor(factor).astype(one.dtype)).sum() for one, factor in pairs)

    found = mindspore.grad(combination, tuple(range(len(leaves))))(*leaves)
    return tuple(observe(one) for one in (found if isinstance(found, (tuple, list)) else (found,)))


def _values_with(arguments: dict[str, Any], leaf: Any) -> dict[str, Any]:
    def tensor(array: Any) -> Any:
        return leaf(array) if array.dtype.kind == "f" else _tensor(array)

    return {name: built(one, tensor, _dtype) for name, one in arguments.items()}


if __name__ == "__main__":
    sys.path.insert(0, ROOT)
    set_up("CPU")
    work_through(run)
