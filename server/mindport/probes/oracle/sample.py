"""Runs one example with one set of inputs in both frameworks and says whether they agree."""

from __future__ import annotations

import contextlib
from typing import Any

import mindspore
import numpy
import torch

from . import graph_side, mindspore_side, torch_side
from .compare import ArrayValue, Comparison, Difference, compare
from .inputs import NARROW, InputError, Variant, make_inputs, read_arrays
from .snippet import evaluate, run, split_snippet
from .timing import compare_time
from .torchvision_import import import_torchvision

STEP_SIZES = (1.0, 0.1, 3.0, 0.01, 0.3, 1.0)  # how large the slopes are in each step of an optimizer
SMALLEST_SLOPE = 1e-8
MOVEMENT_SLACK = 10.0  # a step of 1e-3 from a parameter of 1 is known to 1e-4 of itself only
GRADIENT_SLACK = (
    25.0  # tanh saturates 1e-4 too early, its slope is off by twice that; and the outputs are weighted
)


class NotRun(Exception):
    """torch itself cannot run the sample: a fault of the example, or a variant outside its domain."""


class MindSporeFailed(Exception):
    """MindSpore raised where torch did not; `in_gradient`: only when it was to differentiate."""

    def __init__(self, message: str, *, in_gradient: bool = False) -> None:
        super().__init__(message)
        self.in_gradient = in_gradient


def run_request(request: dict[str, Any]) -> dict[str, Any]:
    """Run one sample. The request:

    - `example`: `before`, `after`, `inputs`, `observe`, `compare` as in a mapping file; without an `after` only torch
      runs, and the answer is `agree` or `illegal`.
    - `variant` and `seed` of the generated inputs; or `arrays`, the inputs themselves (see `inputs.read_arrays`),
      with `gradient_of`, the names of those that are differentiated.
    - `mode`: `pynative` (the usual), or `graph`; there `compiled` says whether what the example computes becomes one
      compiled function, or runs in Python, as what trains or loads data does in graph mode, too.
    - `timed`: whether to time both where they agree; `slack`: how many times the usual deviation is allowed.

    The answer: `status` (agree, differ, failed, illegal), `message`, `kind` of the difference (structure, value,
    gradient), `max_abs`, `gradient` (was compared), `remarks`, and `timing`, where it was asked for and possible."""
    sample = _Sample(request)
    try:
        with graph_side.graph_mode() if request.get("mode") == "graph" else contextlib.nullcontext():
            comparison = sample.compare()
    except NotRun as error:
        return {"status": "illegal", "message": str(error)}
    except MindSporeFailed as error:
        return {"status": "failed", "message": str(error), "kind": "gradient" if error.in_gradient else ""}
    found = comparison.difference
    outcome: dict[str, Any] = {
        "status": "agree" if found is None else "differ",
        "message": "" if found is None else f"{found.place}: {found.message}",
        "kind": "" if found is None else found.kind,
        "max_abs": comparison.max_abs,
        "gradient": sample.has_gradient,
        "remarks": list(comparison.remarks),
    }
    if found is None and request.get("timed"):
        outcome["timing"] = compare_time(sample.before, sample.after, sample.inputs, request["seed"])
    return outcome


class _Sample:
    """One request on its way through both frameworks."""

    def __init__(self, request: dict[str, Any]) -> None:
        self.example: dict[str, Any] = request["example"]
        self.request = request
        self.variant = Variant(request.get("variant", "own"))
        self.seed: int = request.get("seed", 0)
        self.has_gradient = False
        self.graph: graph_side.GraphSnippet | None = None

    def compare(self) -> Comparison:
        """What differs. Raises NotRun or MindSporeFailed."""
        example = self.example
        self._prepare()
        values = example["compare"] in ("value", "effect")
        theirs = torch_side.new_namespace(self.seed)
        ours = mindspore_side.new_namespace(self.seed)
        _run_torch(self.before.prelude, theirs)
        if self.example["after"] is None:
            _torch_results(self.before, theirs, self.inputs, self.variant)
            return Comparison(None, 0.0, ())
        _run_mindspore(self.after.prelude if self.graph is None else self.graph.prelude, ours)
        pairs, weights = _share_state(theirs, ours)
        if self.variant in NARROW:
            pairs = {}  # the state is compared in float32
            _narrow(theirs, ours, self.variant.value)

        expected, expected_inputs = _torch_results(self.before, theirs, self.inputs, self.variant)
        if self.graph is None:
            actual, actual_inputs = _mindspore_results(self.after, ours, self.inputs)
        else:
            actual, actual_inputs = self._graph_results(self.graph, ours)
        slack = self.request.get("slack", 1.0)
        result = compare(expected, actual, values=values, place=example["observe"], slack=slack)
        if result.difference is None:  # an in-place call must have changed the same things
            place = "the inputs afterwards"
            result = _worse(
                result, compare(expected_inputs, actual_inputs, values=values, place=place, slack=slack)
            )
        if result.difference is None and values and pairs:
            arrays = torch_side.state(theirs["m"])
            state = {n: ArrayValue(arrays[n], "float32") for n in pairs}
            found = {n: ArrayValue(p.asnumpy().reshape(arrays[n].shape), "float32") for n, p in pairs.items()}
            result = _worse(result, compare(state, found, place="the state of m afterwards"))
        if result.difference is None and example["compare"] == "effect":
            result = _worse(result, _compare_optimizers(theirs, ours))
        is_done = result.difference is not None or example["compare"] != "value"
        if is_done or self.before.observe is None:
            return result
        if (
            self.variant is Variant.INTEGER or self.variant in NARROW
        ):  # gradients are compared in float32 and float64
            return result
        return self._compare_gradients(theirs, ours, pairs, weights, result)

    def _graph_results(
        self, snippet: graph_side.GraphSnippet, ours: dict[str, Any]
    ) -> tuple[Any, dict[str, Any]]:
        """What the compiled function gives, and the inputs as they are afterwards."""
        try:
            self.result = graph_side.results(snippet, ours, self.inputs)
            observed = None if snippet.observe is None else mindspore_side.observe(self.result)
            return observed, {name: mindspore_side.observe(ours[name]) for name in self.inputs}
        except Exception as error:  # noqa: BLE001  the framework may raise anything
            raise MindSporeFailed(_short(error)) from None

    def _prepare(self) -> None:
        arrays = self.request.get("arrays")
        names = frozenset(self.example["inputs"] if arrays is None else arrays)
        try:
            self.before = split_snippet(self.example["before"], self.example["observe"], names)
            self.after = split_snippet(self.example["after"] or "", self.example["observe"], names)
            if arrays is None:
                self.inputs = make_inputs(self.example["inputs"], self.variant, self.seed)
            else:
                self.inputs = read_arrays(arrays)
            if self.request.get("compiled"):
                after = self.example["after"] or ""
                self.graph = graph_side.split_for_graph(after, self.example["observe"], self.inputs)
        except (SyntaxError, InputError) as error:
            raise NotRun(f"example: {error}") from None

    def _compare_gradients(
        self,
        theirs: dict[str, Any],
        ours: dict[str, Any],
        pairs: dict[str, Any],
        weights: dict[str, Any],
        result: Comparison,
    ) -> Comparison:
        names = self.request.get("gradient_of")
        if names is None:
            is_float = {
                n: isinstance(v, numpy.ndarray) and v.dtype.kind == "f" for n, v in self.inputs.items()
            }
            names = [name for name, float_input in is_float.items() if float_input]
        if not names and not weights:
            return result
        if self.graph is None and self.request.get("mode") == "graph":
            return result  # what runs in Python is differentiated as part of a graph, if at all
        if self.graph is not None and not graph_side.can_differentiate(self.graph, names):
            return result
        expected = torch_side.gradients(self.before, theirs, self.inputs, names, list(weights.values()))
        if expected is None:
            return result
        cells = [pairs[name] for name in weights]
        try:
            if self.graph is None:
                found = mindspore_side.gradients(self.after, ours, self.inputs, names, cells, expected[2])
            else:
                found = graph_side.gradients(
                    self.graph, ours, self.inputs, names, cells, expected[2], self.result
                )
        except Exception as error:  # noqa: BLE001  the framework may raise anything
            raise MindSporeFailed(f"gradient: {_short(error)}", in_gradient=True) from None
        rows = [(f"gradient of {n}", w, g) for n, w, g in zip(names, expected[0], found[0])]
        for name, wanted, got in zip(weights, expected[1], found[1]):
            rows.append((f"gradient of m.{name}", wanted, got.reshape(wanted.shape)))
        # A gradient that is zero but for rounding is as exact as the others are large.
        scale = max([0.1, *(float(numpy.abs(wanted).max(initial=0.0)) for _, wanted, _ in rows)])
        for place, wanted, got in rows:
            theirs_array, ours_array = (ArrayValue(a, str(a.dtype)) for a in (wanted, got))
            compared = compare(
                theirs_array, ours_array, place=place, slack=GRADIENT_SLACK, least_scale=min(scale, 1.0)
            )
            result = _worse(result, compared)
            if result.difference is not None:
                difference = result.difference._replace(kind="gradient")
                return result._replace(difference=difference)
        self.has_gradient = True
        return result


def _run_torch(code: Any, namespace: dict[str, Any]) -> None:
    try:
        if any(name.startswith("torchvision.") for name in code.co_names):  # it imports a part of it
            import_torchvision()
        run(code, namespace)
    except Exception as error:  # noqa: BLE001  the example's code may raise anything
        raise NotRun(f"torch: {_short(error)}") from None


def _run_mindspore(code: Any, namespace: dict[str, Any]) -> None:
    try:
        run(code, namespace)
    except Exception as error:  # noqa: BLE001  the framework may raise anything
        raise MindSporeFailed(_short(error)) from None


def _share_state(theirs: dict[str, Any], ours: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Give MindSpore's `m` the weights and mode of torch's; MindSpore's parameters and torch's learned ones
    by torch's names."""
    module, cell = theirs.get("m"), ours.get("m")
    if not isinstance(module, torch.nn.Module) or not isinstance(cell, mindspore.nn.Cell):
        return {}, {}
    torch_side.perturb(module)
    expected = torch_side.state(module)
    learned = dict(module.named_parameters())
    try:
        pairs = mindspore_side.pair_state(cell, expected, set(learned))
        mindspore_side.copy_state(pairs, expected)
    except (ValueError, TypeError, RuntimeError) as error:
        raise MindSporeFailed(_short(error)) from None
    cell.set_train(module.training)
    return pairs, {name: parameter for name, parameter in learned.items() if name in pairs}


def _narrow(theirs: dict[str, Any], ours: dict[str, Any], dtype: str) -> None:
    """Give the modules `m` of both sides, where there are any, the dtype."""
    if isinstance(theirs.get("m"), torch.nn.Module):
        torch_side.narrow(theirs["m"], dtype)
    if isinstance(ours.get("m"), mindspore.nn.Cell):
        mindspore_side.narrow(ours["m"], dtype)


def _torch_results(
    snippet: Any, namespace: dict[str, Any], inputs: dict[str, Any], variant: Variant
) -> tuple[Any, dict[str, Any]]:
    scope = {name: torch_side.to_input(value) for name, value in inputs.items()}
    namespace.update(scope)
    _run_torch(snippet.body, namespace)
    try:
        observed = (
            None if snippet.observe is None else torch_side.observe(evaluate(snippet.observe, namespace))
        )
    except Exception as error:  # noqa: BLE001  the observed expression may raise anything
        raise NotRun(f"torch: {_short(error)}") from None
    if variant is not Variant.OWN and _has_nan(observed):
        raise NotRun("outside the domain: torch gives NaN")
    return observed, {name: torch_side.observe(namespace[name]) for name in scope}


def _mindspore_results(
    snippet: Any, namespace: dict[str, Any], inputs: dict[str, Any]
) -> tuple[Any, dict[str, Any]]:
    namespace.update({name: mindspore_side.to_input(value) for name, value in inputs.items()})
    _run_mindspore(snippet.body, namespace)
    try:
        observed = (
            None if snippet.observe is None else mindspore_side.observe(evaluate(snippet.observe, namespace))
        )
        return observed, {name: mindspore_side.observe(namespace[name]) for name in inputs}
    except Exception as error:  # noqa: BLE001  the observed expression may raise anything
        raise MindSporeFailed(_short(error)) from None


def _compare_optimizers(theirs: dict[str, Any], ours: dict[str, Any]) -> Comparison:
    """Take some steps with both optimizers, and compare where the parameters end and how far they went.

    Among the slopes are tiny ones, because only they show where an epsilon stands in the rule, and each is smaller and
    larger from step to step, because only falling ones show what keeps the largest."""
    expected, actual = torch_side.optimizers(theirs), mindspore_side.optimizers(ours)
    if not expected:
        return Comparison(None, 0.0, ())
    name, optimizer = next(iter(expected.items()))
    if name not in actual:
        return Comparison(Difference(name, "no MindSpore optimizer of this name", "structure"), 0.0, ())
    parameters = torch_side.optimizer_parameters(optimizer)
    others = list(actual[name].parameters)
    if [p.numel() for p in parameters] != [p.size for p in others]:
        return Comparison(
            Difference(name, "the two optimizers hold different parameters", "structure"), 0.0, ()
        )
    stream = numpy.random.default_rng(5)
    curvature = [stream.uniform(0.2, 2.0, tuple(p.shape)).astype(numpy.float32) for p in parameters]
    goal = [stream.uniform(-1, 1, tuple(p.shape)).astype(numpy.float32) for p in parameters]
    sizes = stream.permutation(numpy.geomspace(1, SMALLEST_SLOPE, sum(c.size for c in curvature)))
    curvature = [
        c * s.reshape(c.shape).astype(numpy.float32)
        for c, s in zip(curvature, numpy.split(sizes, numpy.cumsum([c.size for c in curvature])[:-1]))
    ]
    starts = [parameter.detach().numpy().copy() for parameter in parameters]
    try:
        for start, other in zip(starts, others):
            other.set_data(mindspore.Tensor(start.reshape(other.shape)))
        ours_schedulers = mindspore_side.schedulers(ours)
        for size in STEP_SIZES:
            now = [p.detach().numpy() for p in parameters]
            then = [p.asnumpy().reshape(n.shape) for p, n in zip(others, now)]
            rows = list(zip(curvature, goal, now, then))
            torch_side.optimizer_step(
                optimizer, [(size * a * (n - g)).astype(numpy.float32) for a, g, n, _ in rows]
            )
            slopes = [(size * a * (t - g)).astype(numpy.float32) for a, g, _, t in rows]
            mindspore_side.optimizer_step(actual[name], [s.reshape(p.shape) for s, p in zip(slopes, others)])
            for key, scheduler in torch_side.schedulers(theirs).items():
                if key not in ours_schedulers:
                    return Comparison(
                        Difference(key, "no MindSpore scheduler of this name", "structure"), 0.0, ()
                    )
                scheduler.step(*_metric(scheduler))
                ours_schedulers[key].step(*_metric(ours_schedulers[key]))
    except (RuntimeError, TypeError, ValueError, AttributeError) as error:
        raise MindSporeFailed(f"optimizer: {_short(error)}") from None
    wanted = tuple(ArrayValue(p.detach().numpy(), "float32") for p in parameters)
    got = tuple(ArrayValue(p.asnumpy().reshape(w.values.shape), "float32") for p, w in zip(others, wanted))
    steps = f"{len(STEP_SIZES)} steps of {name}"
    ends = compare(wanted, got, place=f"parameters after {steps}")
    if ends.difference is not None:
        return ends
    went = [tuple(a._replace(values=a.values - s) for a, s in zip(x, starts)) for x in (wanted, got)]
    return _worse(ends, compare(*went, place=f"what {steps} change", slack=MOVEMENT_SLACK))


def _metric(scheduler: Any) -> tuple[float, ...]:
    return (1.0,) if type(scheduler).__name__ == "ReduceLROnPlateau" else ()


def _worse(first: Comparison, second: Comparison) -> Comparison:
    return Comparison(
        first.difference or second.difference,
        max(first.max_abs, second.max_abs),
        tuple(dict.fromkeys((*first.remarks, *second.remarks))),
    )


def _has_nan(value: Any) -> bool:
    if isinstance(value, ArrayValue):
        return value.values.dtype.kind in "fc" and bool(numpy.isnan(value.values).any())
    if isinstance(value, dict):
        return any(_has_nan(item) for item in value.values())
    return isinstance(value, (tuple, list)) and any(_has_nan(item) for item in value)


def _short(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip(" -")]
    return f"{type(error).__name__}: {' '.join(lines)[:200]}"
