"""Runs drawn functions in torch: finds inputs that they take, and says what they give, change and differentiate to.

    python torch_runs.py TASKS RESULTS START

A process of its own, with the packages on its path. An outcome is what torch could not do, or samples."""

from __future__ import annotations

import itertools
import signal
import sys
import time
import warnings
import zlib
from typing import Any

import numpy
import torch

from function_bench.both_sides import built, called, function_of, short, tensors_of, work_through
from function_bench.made_inputs import Arguments, candidates, edges
from mindport.probes.oracle.compare import ArrayValue, compare
from mindport.probes.oracle.torch_side import observe

TRIALS, SECONDS, SAMPLES = 150, 3.0, 3
WITH_GRADIENT = ("", "ties", "zeros", "0 and 1 among them")
warnings.simplefilter("ignore")
torch.set_num_threads(1)


class _TooSlow(Exception):
    pass


def run(task: tuple[str, str]) -> dict[str, Any]:
    """One function: `problem`, or `samples`."""
    file, name = task
    signal.signal(signal.SIGALRM, _stop)
    try:
        signal.alarm(60)
        target, method = function_of(file, name)
    except BaseException as error:  # noqa: BLE001  a module may raise anything, or end
        return {"problem": f"import: {short(error)}"}
    finally:
        signal.alarm(0)
    seed = zlib.crc32(f"{file} {name}".encode())
    function = getattr(target, method) if method else target
    try:
        makers = (
            [candidates(function, seed)]
            if not method
            else [_without_self(function, seed), candidates(target, seed)]
        )
    except (TypeError, ValueError) as error:
        return {"problem": short(error)}
    found: list[dict[str, Any]] = []
    problem, started = "", time.monotonic()
    try:
        for trial in itertools.islice(zip(*makers, strict=False), TRIALS):
            if time.monotonic() - started > SECONDS or len(found) == SAMPLES:
                break
            arguments, construction = trial[0], trial[1] if method else {}
            try:
                sample = _sample(target, method, construction, arguments)
            except Exception as error:  # noqa: BLE001  the function may raise anything
                problem = short(error)
                continue
            if sample is not None and not any(_like(sample, one) for one in found):
                found.append(sample)
    except Exception as error:  # noqa: BLE001  making values up may fail
        problem = short(error)
    for sample in found[:1]:
        for edge, arguments in edges(sample["arguments"], seed):
            try:
                other = _sample(target, method, sample["construction"], arguments, edge)
            except Exception:  # noqa: BLE001  not every function takes every edge
                continue
            if other is not None:
                is_random = other["random"] or sample["random"]  # zeros hide what is drawn
                gradient = None if is_random else other["gradient"]
                found.append({**other, "edge": edge, "random": is_random, "gradient": gradient})
    return {"samples": found} if found else {"problem": problem or "gives no tensor"}


def _without_self(function: Any, seed: int) -> Any:
    first = next(iter(__import__("inspect").signature(function).parameters))
    for given in candidates(function, seed):
        yield {name: value for name, value in given.items() if name != first}


def _stop(*_: Any) -> None:
    raise _TooSlow("took too long")


def _sample(
    target: Any, method: str, construction: Arguments, arguments: Arguments, edge: str = ""
) -> dict[str, Any] | None:
    """What a call gives; None where it gives no tensor, or nothing that two runs or a wider type agree on."""
    signal.setitimer(signal.ITIMER_REAL, 2.0)
    try:
        runs = [_run(target, method, construction, arguments, seed) for seed in (1, 2)]
        if not runs[0][2] and not runs[0][3]:
            return None
        is_random = not (_same(runs[0][0], runs[1][0]) and _same(runs[0][1], runs[1][1]))
        if not is_random and not _is_stable(target, method, construction, arguments, runs[0][0]):
            return None
        has_gradient = not is_random and edge in WITH_GRADIENT
        gradient = None if not has_gradient else _gradient(target, method, construction, arguments)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return {
        "construction": construction,
        "arguments": arguments,
        "result": runs[0][0],
        "after": runs[0][1],
        "random": is_random,
        "gradient": gradient,
        "edge": "",
    }


def _run(
    target: Any, method: str, construction: Arguments, arguments: Arguments, seed: int, wide: bool = False
) -> Any:
    torch.manual_seed(seed)
    numpy.random.seed(seed)
    __import__("random").seed(seed)
    given, made = _values(arguments, wide), _values(construction, wide)
    before = observe({**given})
    result = called(target, method, made, dict(given))
    after = observe({**given})
    return observe(result), after, bool(tensors_of(result, torch.Tensor)), not _same(before, after)


def _values(arguments: Arguments, wide: bool = False) -> dict[str, Any]:
    def tensor(array: Any) -> torch.Tensor:
        made = torch.from_numpy(numpy.array(array))
        return made.double() if wide and made.dtype is torch.float32 else made

    return {name: built(one, tensor, lambda dtype: getattr(torch, dtype)) for name, one in arguments.items()}


def _same(one: Any, other: Any) -> bool:
    return compare(one, other).difference is None


def _is_stable(target: Any, method: str, construction: Arguments, arguments: Arguments, result: Any) -> bool:
    """Whether float64 gives the same, where it can be run: a result that rests on rounding compares nothing."""
    try:
        wide = _run(target, method, construction, arguments, 1, wide=True)[0]
    except Exception:  # noqa: BLE001  a function may be for float32 alone
        return True
    return compare(_as_float32(result), _as_float32(wide)).difference is None


def _as_float32(value: Any) -> Any:
    if isinstance(value, ArrayValue):
        return ArrayValue(value.values, "float32") if value.dtype in ("float32", "float64") else value
    if isinstance(value, dict):
        return {key: _as_float32(one) for key, one in value.items()}
    return tuple(map(_as_float32, value)) if isinstance(value, tuple) else value


def _gradient(target: Any, method: str, construction: Arguments, arguments: Arguments) -> Any:
    """The gradient of a weighted sum of the results for each floating point tensor; None where there is none."""
    leaves: list[torch.Tensor] = []

    def tensor(array: Any) -> torch.Tensor:
        made = torch.from_numpy(numpy.array(array))
        if not made.is_floating_point():
            return made
        leaves.append(made.requires_grad_())
        return made.clone()

    try:
        given = {
            name: built(one, tensor, lambda dtype: getattr(torch, dtype)) for name, one in arguments.items()
        }
        result = called(target, method, _values(construction), given)
        outputs = [one for one in tensors_of(result, torch.Tensor) if one.is_floating_point()]
        stream = numpy.random.default_rng(11)
        factors = [stream.uniform(0.5, 1.5, tuple(one.shape)).astype(numpy.float32) for one in outputs]
        tied = [(one, factor) for one, factor in zip(outputs, factors, strict=True) if one.requires_grad]
        if not tied or not leaves:
            return None
        total = sum((one * torch.from_numpy(factor).to(one.dtype)).sum() for one, factor in tied)
        found = torch.autograd.grad(total, leaves, allow_unused=True)
    except _TooSlow:
        raise
    except Exception:  # noqa: BLE001  a function may be none that can be differentiated
        return None
    connected = [one.requires_grad for one in outputs]
    slopes = tuple(
        observe(torch.zeros_like(leaf) if one is None else one)
        for leaf, one in zip(leaves, found, strict=True)
    )
    return {"slopes": slopes, "factors": factors, "connected": connected}


def _like(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two samples have the same shapes, dtypes and values that are no tensors."""
    return _form(one["arguments"]) == _form(other["arguments"])


def _form(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _form(one) for key, one in value.items()}
    kind, inner = value
    if kind == "tensor":
        return inner.shape, str(inner.dtype)
    return [_form(one) for one in inner] if kind in ("list", "tuple") else repr(inner)


if __name__ == "__main__":
    sys.path.insert(0, sys.argv[4])
    work_through(run)
