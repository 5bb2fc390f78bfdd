"""Runs the port in MindSpore and compares it with what `verify_torch.py` kept.

Request: `file`, `entry`, `inputs`, `seed`, `reference` (the .npz), `mode` (pynative or graph), `device`, `path`
(folders to import from), `steps`, `repeats` (how many calls are timed after the first). torch cannot be imported here.
The answer has `stages`: what went well (`import`, `build`, `weights`, `forward`, `gradient`, `steps`), `error` of the
first that did not, and the figures: `forward` (largest difference, what is allowed), `gradient`, `steps` (largest
relative differences), `first_seconds` of the first call and `seconds`, the median of the timed ones; `renamed`, torch's
name -> the port's of every weight whose name differs; and, where the outputs differ, `parting`, the first layer that
gives something else, as `layers` describes it."""

from __future__ import annotations

import functools
import sys
import time
import traceback
import warnings
from typing import Any

import numpy
from probe_channel import serve_once
from program.arrays import input_arrays, leaves, map_arrays, weighting
from program.entry import build, load_module
from program.layers import LayerRecord, first_difference, read_calls
from program.missing_torch import TorchIsMissing
from program.timing import seconds_per_call

FORWARD = 1e-5  # of the largest value; or four times what torch's own float32 is off
LEARNING_RATE = 1e-3  # of the steps; the probe of torch takes the same
GRADIENT = 1e-3  # of the largest value of that gradient
LOSS = 1e-4  # relative


class Different(Exception):
    """The port gives another result; the message says where and how much."""


def probe(request: dict[str, Any]) -> dict[str, Any]:
    """Run all stages, as far as they go."""
    warnings.simplefilter("ignore")
    sys.meta_path.insert(0, TorchIsMissing())
    sys.path[:0] = request.get("path", [])
    answer: dict[str, Any] = {"stages": [], "error": ""}
    try:
        _run(request, answer)
    except Exception as error:  # noqa: BLE001 - the user's program may raise anything
        answer["error"] = f"{type(error).__name__}: {error}"
        answer["trace"] = traceback.format_exc()[-3000:]
    return answer


def _run(request: dict[str, Any], answer: dict[str, Any]) -> None:
    import mindspore
    from program.mindspore_weights import load_weights

    mode = mindspore.GRAPH_MODE if request["mode"] == "graph" else mindspore.PYNATIVE_MODE
    mindspore.set_context(mode=mode)
    mindspore.set_device(request["device"])
    if request["mode"] != "graph":
        mindspore.runtime.launch_blocking()
    mindspore.set_seed(request["seed"])
    reference = dict(numpy.load(request["reference"]))
    module = load_module(request["file"])
    answer["stages"].append("import")
    model = build(module, request["entry"])
    answer["is_training"] = bool(model.training)
    model.set_train(False)
    answer["stages"].append("build")
    parameters = load_weights(model, reference)
    paths = {id(parameter): path for path, parameter in model.parameters_and_names()}
    places = {name: paths[id(parameter)] for name, parameter in parameters.items()}
    answer["renamed"] = {name: path for name, path in places.items() if name != path}
    answer["stages"].append("weights")
    inputs = map_arrays(input_arrays(request["inputs"], request["seed"]), mindspore.Tensor)
    start = time.perf_counter()
    try:
        out = model(*inputs)
        outputs = dict(leaves(out, lambda value: isinstance(value, mindspore.Tensor)))
        found = {path: tensor.asnumpy() for path, tensor in outputs.items()}
        answer["first_seconds"] = time.perf_counter() - start
        answer["forward"] = _compare_outputs(found, reference)
    except Exception:
        if request["mode"] != "graph":  # hooks are not compiled
            answer["parting"] = first_difference(read_calls(reference), _layers(model, inputs))
        raise
    answer["stages"].append("forward")
    if request.get("repeats"):
        answer["seconds"] = seconds_per_call(lambda: _finish(model(*inputs)), request["repeats"])

    def loss_of(*arguments: Any) -> Any:
        result = model(*arguments)
        terms = [
            (tensor * mindspore.Tensor(weighting(path, tuple(tensor.shape)))).sum()
            / max(1, tensor.size) ** 0.5
            for path, tensor in leaves(result, lambda value: isinstance(value, mindspore.Tensor))
            if tensor.dtype in (mindspore.float32, mindspore.float64)
        ]
        return sum(terms[1:], terms[0])

    if not any(name.startswith("grad:") for name in reference):
        return
    names = [name for name in parameters if f"grad:{name}" in reference]
    weights = mindspore.ParameterTuple([parameters[name] for name in names])
    step = mindspore.value_and_grad(loss_of, None, weights)
    _, grads = step(*inputs)
    answer["gradient"] = _compare_gradients(
        {name: grad.asnumpy() for name, grad in zip(names, grads)}, reference
    )
    answer["stages"].append("gradient")
    if "losses" not in reference:
        return
    losses = []
    for _ in range(len(reference["losses"])):
        loss, grads = step(*inputs)
        # Not by an optimizer: they compile all parameters into one graph, which takes minutes for a few hundred.
        for weight, grad in zip(weights, grads):
            weight.set_data(weight - LEARNING_RATE * grad)
        losses.append(float(loss.asnumpy()))
    answer["steps"] = _compare_losses(losses, reference["losses"])
    answer["stages"].append("steps")


def _layers(model: Any, inputs: list[Any]) -> list[dict[str, Any]]:
    """What each layer of the port gives, under torch's names; as far as the call comes."""
    import mindspore
    from program.mindspore_weights import torch_name

    record = LayerRecord()

    def note(name: str, cell: Any, output: Any) -> None:
        tensors = [tensor for _, tensor in leaves(output, lambda value: isinstance(value, mindspore.Tensor))]
        arrays = [
            (one.astype(mindspore.float32) if one.dtype == mindspore.bfloat16 else one).asnumpy()
            for one in tensors
        ]
        record.add(name, type(cell).__name__, arrays)

    try:
        for path, cell in list(model.cells_and_names()):
            name = torch_name(model, path) if path else ""
            # A part that torch does not have bears the name of what it is a part of.
            if name and name != torch_name(model, path.rpartition(".")[0]):
                cell.register_forward_hook(
                    functools.partial(lambda name, cell, _, output: note(name, cell, output), name)
                )
        model(*inputs)
    except Exception:  # noqa: BLE001 - what ended the call is told already
        pass
    calls: list[dict[str, Any]] = record.calls
    return calls


def _finish(value: Any) -> None:
    """Wait for all tensors of a result."""
    import mindspore

    for _, tensor in leaves(value, lambda one: isinstance(one, mindspore.Tensor)):
        tensor.asnumpy()


def _compare_outputs(found: dict[str, Any], reference: dict[str, Any]) -> list[float]:
    """The largest difference over the scale of the output, and what is allowed. Raises Different."""
    wanted = {name[4:]: value for name, value in reference.items() if name.startswith("out:")}
    if len(found) != len(wanted):
        raise Different(f"torch returns {len(wanted)} tensors ({', '.join(wanted)}), the port {len(found)}")
    worst, allowed = 0.0, FORWARD
    for (path, mine), (name, theirs) in zip(found.items(), wanted.items()):
        if mine.shape != theirs.shape:
            raise Different(f"{path} has shape {mine.shape}, torch's {theirs.shape}")
        if not mine.size:
            continue
        exact = reference.get(f"exact:{name}", theirs).astype(numpy.float64)
        if not numpy.array_equal(numpy.isfinite(exact), numpy.isfinite(mine)):
            raise Different(f"{path} is infinite or no number in other places than torch's")
        exact, mine, theirs = (numpy.nan_to_num(one.astype(numpy.float64)) for one in (exact, mine, theirs))
        scale = max(1.0, float(abs(exact).max()))
        own = float(abs(theirs - exact).max()) / scale
        error = float(abs(mine - exact).max()) / scale
        limit = max(FORWARD, 4 * own)
        if error / limit > worst / allowed:
            worst, allowed = error, limit
        if error > limit:
            raise Different(f"{path} differs by {error:.2g} of its largest value; {limit:.2g} is allowed")
    return [worst, allowed]


def _compare_gradients(found: dict[str, Any], reference: dict[str, Any]) -> float:
    """The largest difference over the largest value of any gradient. Raises Different."""
    scale = max(float(abs(reference[f"grad:{name}"]).max(initial=0.0)) for name in found)
    worst = 0.0
    for name, mine in found.items():
        theirs = reference[f"grad:{name}"].reshape(mine.shape)
        own = max(float(abs(theirs).max(initial=0.0)), 1e-3 * scale, 1e-12)
        error = float(abs(mine - theirs).max(initial=0.0)) / own
        if not error <= GRADIENT:
            raise Different(f"the gradient of {name} differs by {error:.2g} of its largest value")
        worst = max(worst, error)
    return worst


def _compare_losses(found: list[float], wanted: Any) -> float:
    worst = 0.0
    for number, (mine, theirs) in enumerate(zip(found, wanted)):
        error = abs(mine - theirs) / max(1.0, abs(theirs))
        if not error <= LOSS:
            raise Different(f"the loss of step {number + 1} is {mine:.6g}, torch's {theirs:.6g}")
        worst = max(worst, error)
    return worst


if __name__ == "__main__":
    serve_once(probe)
