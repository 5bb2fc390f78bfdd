"""Runs one example with one set of inputs in both frameworks and says whether they agree."""

from __future__ import annotations

import contextlib
import time
from typing import Any

import mindspore
import numpy

from . import graph_side, mindspore_side
from .compare import ArrayValue, Comparison, ResultDifference, compare
from .drawn import DRAWS, FEWEST, SECONDS, compare_draws
from .inputs import NARROW, InputError, Variant
from .recorded_reference import RecordedReference
from .reference import STEP_SIZES, NotRun, OracleReference, StepsFailed, course, in_short, metric, slopes
from .request import inputs_of, names_to_differentiate, snippet_of
from .snippet import evaluate, run

MOVEMENT_SLACK = 10.0  # a step of 1e-3 from a parameter of 1 is known to 1e-4 of itself only
GRADIENT_SLACK = (
    25.0  # tanh saturates 1e-4 too early, its slope is off by twice that; and the outputs are weighted
)


class MindSporeFailed(Exception):
    """MindSpore raised where torch did not; `in_gradient`: only when it was to differentiate."""

    def __init__(self, message: str, *, in_gradient: bool = False) -> None:
        super().__init__(message)
        self.in_gradient = in_gradient


def run_request(request: dict[str, Any]) -> dict[str, Any]:
    """Run one sample. The request:

    - `example`: `before`, `after`, `inputs`, `observe`, `compare` as in a mapping file; without an `after` only torch
      runs, and the answer is `agree` or `illegal`. With the `compare` of `drawn` both run many times, and what is drawn
      is compared as a whole, the weights of a module `m` included.
    - `variant` and `seed` of the generated inputs; or `arrays`, the inputs themselves (see `inputs.read_arrays`),
      with `gradient_of`, the names of those that are differentiated.
    - `mode`: `pynative` (the usual), or `graph`; there `compiled` says whether what the example computes becomes one
      compiled function, or runs in Python, as what trains or loads data does in graph mode, too.
    - `expected`: what torch gave where it ran before (`recorded_reference`); without it torch runs here.
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
        from .timing import compare_time  # it needs torch

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
        if example["compare"] == "drawn":
            return self._compare_draws()
        values = example["compare"] in ("value", "effect")
        theirs = self._reference()
        ours = mindspore_side.new_namespace(self.seed)
        theirs.prepare()
        if self.example["after"] is None:
            theirs.results()
            return Comparison(None, 0.0, ())
        _run_mindspore(self.after.prelude if self.graph is None else self.graph.prelude, ours)
        pairs, weights = _share_state(theirs, ours)
        if self.variant in NARROW:
            pairs = {}  # the state is compared in float32
            _narrow(theirs, ours, self.variant.value)

        expected, expected_inputs = theirs.results()
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
            arrays = theirs.state()
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

    def _compare_draws(self) -> Comparison:
        """What differs of many results, of the weights that `m` begins with, and of which of them are learned."""
        from .torch_reference import TorchReference

        expected: list[tuple[Any, ...]] = []
        started = time.monotonic()
        while len(expected) < DRAWS and time.monotonic() < started + SECONDS:
            if (time.monotonic() - started) * FEWEST > SECONDS * max(len(expected), 1):
                raise NotRun("too slow to be drawn often")
            theirs = TorchReference(self.before, self.inputs, self.variant, self.seed + len(expected))
            theirs.prepare()
            begun, is_training = theirs.weights(), theirs.is_training
            expected.append((*theirs.results(), begun))
        draws = range(self.seed, self.seed + len(expected))
        actual = [self._drawn(seed, expected[0][2], is_training) for seed in draws]
        shared = actual[0][2].keys()
        expected = [(*one[:2], {name: one[2][name] for name in shared}) for one in expected]
        return compare_draws(expected, actual, place="(y, inputs, weights)")

    def _drawn(
        self, seed: int, begun: dict[str, tuple[ArrayValue, bool]], is_training: bool
    ) -> tuple[Any, ...]:
        """One result of MindSpore's, the inputs afterwards, and what the module began with, by torch's names."""
        ours = mindspore_side.new_namespace(seed)
        _run_mindspore(self.after.prelude, ours)
        weights = {}
        if isinstance(ours.get("m"), mindspore.nn.Cell):
            arrays = {name: array.values for name, (array, _) in begun.items()}
            pairs = mindspore_side.pair_state(ours["m"], arrays, set())
            ours["m"].set_train(is_training)
            for name in (one for one in arrays if one in pairs):
                values = pairs[name].asnumpy().copy().reshape(arrays[name].shape)
                weights[name] = (ArrayValue(values, "float32"), bool(pairs[name].requires_grad))
        return (*_mindspore_results(self.after, ours, self.inputs), weights)

    def _reference(self) -> OracleReference:
        """torch's side: what it gave elsewhere, or torch itself."""
        expected = self.request.get("expected")
        if expected is not None:
            return RecordedReference(expected)
        from .torch_reference import TorchReference

        return TorchReference(self.before, self.inputs, self.variant, self.seed)

    def _graph_results(
        self, snippet: graph_side.GraphSnippet, ours: dict[str, Any]
    ) -> tuple[Any, dict[str, Any]]:
        """What the compiled function gives, and the inputs as they are afterwards."""
        try:
            self.result = graph_side.results(snippet, ours, self.inputs)
            observed = None if snippet.observe is None else mindspore_side.observe(self.result)
            return observed, {name: mindspore_side.observe(ours[name]) for name in self.inputs}
        except Exception as error:  # noqa: BLE001  the framework may raise anything
            raise MindSporeFailed(in_short(error)) from None

    def _prepare(self) -> None:
        try:
            self.before = snippet_of(self.request, "before")
            self.after = snippet_of(self.request, "after")
            self.inputs = inputs_of(self.request)
            if self.request.get("compiled"):
                after = self.example["after"] or ""
                self.graph = graph_side.split_for_graph(after, self.example["observe"], self.inputs)
        except (SyntaxError, InputError) as error:
            raise NotRun(f"example: {error}") from None

    def _compare_gradients(
        self,
        theirs: OracleReference,
        ours: dict[str, Any],
        pairs: dict[str, Any],
        weights: list[str],
        result: Comparison,
    ) -> Comparison:
        names = names_to_differentiate(self.request, self.inputs)
        if not names and not weights:
            return result
        if self.graph is None and self.request.get("mode") == "graph":
            return result  # what runs in Python is differentiated as part of a graph, if at all
        if self.graph is not None and not graph_side.can_differentiate(self.graph, names):
            return result
        expected = theirs.gradients(names, weights)
        if expected is None:
            return result
        cells = [pairs[name] for name in weights]
        try:
            if self.graph is None:
                found = mindspore_side.gradients(
                    self.after, ours, self.inputs, names, cells, expected.factors
                )
            else:
                found = graph_side.gradients(
                    self.graph, ours, self.inputs, names, cells, expected.factors, self.result
                )
        except Exception as error:  # noqa: BLE001  the framework may raise anything
            raise MindSporeFailed(f"gradient: {in_short(error)}", in_gradient=True) from None
        rows = [(f"gradient of {n}", expected.inputs[n], g) for n, g in zip(names, found[0])]
        for name, got in zip(weights, found[1]):
            wanted = expected.weights[name]
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


def _run_mindspore(code: Any, namespace: dict[str, Any]) -> None:
    try:
        run(code, namespace)
    except Exception as error:  # noqa: BLE001  the framework may raise anything
        raise MindSporeFailed(in_short(error)) from None


def _share_state(theirs: OracleReference, ours: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Give MindSpore's `m` the weights and mode of torch's; MindSpore's parameters by torch's names, and the names of
    those that torch learns."""
    cell = ours.get("m")
    if not isinstance(cell, mindspore.nn.Cell) or (module := theirs.module()) is None:
        return {}, []
    try:
        pairs = mindspore_side.pair_state(cell, module.arrays, set(module.learned))
        mindspore_side.copy_state(pairs, module.arrays)
    except (ValueError, TypeError, RuntimeError) as error:
        raise MindSporeFailed(in_short(error)) from None
    cell.set_train(module.training)
    return pairs, [name for name in module.learned if name in pairs]


def _narrow(theirs: OracleReference, ours: dict[str, Any], dtype: str) -> None:
    """Give the modules `m` of both sides, where there are any, the dtype."""
    theirs.narrow(dtype)
    if isinstance(ours.get("m"), mindspore.nn.Cell):
        mindspore_side.narrow(ours["m"], dtype)


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
        raise MindSporeFailed(in_short(error)) from None


def _compare_optimizers(theirs: OracleReference, ours: dict[str, Any]) -> Comparison:
    """Take some steps with both optimizers, and compare where the parameters end and how far they went."""
    actual = mindspore_side.optimizers(ours)
    try:
        run = theirs.optimizer_run()
    except StepsFailed as error:
        raise MindSporeFailed(f"optimizer: {error}") from None
    if run is None:
        return Comparison(None, 0.0, ())
    name = run.name
    if name not in actual:
        return Comparison(ResultDifference(name, "no MindSpore optimizer of this name", "structure"), 0.0, ())
    others = list(actual[name].parameters)
    if [start.size for start in run.starts] != [p.size for p in others]:
        return Comparison(
            ResultDifference(name, "the two optimizers hold different parameters", "structure"), 0.0, ()
        )
    schedulers = mindspore_side.schedulers(ours)
    for key in run.schedulers:
        if key not in schedulers:
            return Comparison(
                ResultDifference(key, "no MindSpore scheduler of this name", "structure"), 0.0, ()
            )
    curvature, goal = course([start.shape for start in run.starts])
    try:
        for start, other in zip(run.starts, others):
            other.set_data(mindspore.Tensor(start.reshape(other.shape)))
        for size in STEP_SIZES:
            now = [p.asnumpy().reshape(start.shape) for p, start in zip(others, run.starts)]
            found = slopes(size, curvature, goal, now)
            mindspore_side.optimizer_step(actual[name], [s.reshape(p.shape) for s, p in zip(found, others)])
            for key in run.schedulers:
                schedulers[key].step(*metric(schedulers[key]))
    except (RuntimeError, TypeError, ValueError, AttributeError) as error:
        raise MindSporeFailed(f"optimizer: {in_short(error)}") from None
    wanted = tuple(ArrayValue(end, "float32") for end in run.ends)
    got = tuple(ArrayValue(p.asnumpy().reshape(w.values.shape), "float32") for p, w in zip(others, wanted))
    steps = f"{len(STEP_SIZES)} steps of {name}"
    ends = compare(wanted, got, place=f"parameters after {steps}")
    if ends.difference is not None:
        return ends
    went = [tuple(a._replace(values=a.values - s) for a, s in zip(x, run.starts)) for x in (wanted, got)]
    return _worse(ends, compare(*went, place=f"what {steps} change", slack=MOVEMENT_SLACK))


def _worse(first: Comparison, second: Comparison) -> Comparison:
    return Comparison(
        first.difference or second.difference,
        max(first.max_abs, second.max_abs),
        tuple(dict.fromkeys((*first.remarks, *second.remarks))),
    )
