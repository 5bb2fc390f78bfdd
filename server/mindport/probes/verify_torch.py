"""Runs the original program in torch and keeps what the port has to reproduce.

Request: `file`, `entry`, `inputs` (texts of the input language), `seed`, `steps`, `keep` (the .npz to write), `path`
(folders to import from), `gradient` (false: only the outputs), `repeats` (how many calls are timed after the first).
The answer has `stages`: what went well (`import`, `build`, `forward`, `gradient`, `steps`), `error` and `seconds`, the
median of the timed calls. The file holds `weight:NAME` (parameters and running statistics), `learned` (the names of the
parameters), `out:PATH`, `exact:PATH` (in float64, where the program can), `grad:NAME`, `losses`, and what `layers`
keeps."""

from __future__ import annotations

import functools
import sys
import traceback
import warnings
from typing import Any

import numpy
import torch
from probe_channel import serve_once
from program.arrays import drawn, input_arrays, leaves, map_arrays, weighting
from program.entry import build, load_module
from program.layers import LayerRecord
from program.timing import seconds_per_call

_STATISTICS = ("running_mean", "running_var")


def probe(request: dict[str, Any]) -> dict[str, Any]:
    """Run all stages, as far as they go."""
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    torch.manual_seed(request["seed"])
    sys.path[:0] = request.get("path", [])
    answer: dict[str, Any] = {"stages": [], "error": ""}
    kept: dict[str, Any] = {}
    try:
        _run(request, answer, kept)
    except Exception as error:  # noqa: BLE001 - the user's program may raise anything
        answer["error"] = f"{type(error).__name__}: {error}"
        answer["trace"] = traceback.format_exc()[-3000:]
    numpy.savez(request["keep"], **kept)
    return answer


def _run(request: dict[str, Any], answer: dict[str, Any], kept: dict[str, Any]) -> None:
    module = load_module(request["file"])
    answer["stages"].append("import")
    model = build(module, request["entry"]).eval()
    answer["stages"].append("build")
    _draw_weights(model, request["seed"], kept)
    inputs = map_arrays(input_arrays(request["inputs"], request["seed"]), torch.from_numpy)
    out = model(*inputs)
    outputs = dict(leaves(out, torch.is_tensor))
    for path, tensor in outputs.items():
        kept[f"out:{path}"] = tensor.detach().numpy()
    answer["stages"].append("forward")
    kept.update(_layers(model, inputs).to_arrays())
    if request.get("repeats"):
        with torch.no_grad():
            answer["seconds"] = seconds_per_call(lambda: model(*inputs), request["repeats"])
    loss = _loss(outputs) if request.get("gradient", True) else None
    if loss is not None and loss.requires_grad:
        loss.backward()
        for name, parameter in model.named_parameters():
            gradient = torch.zeros_like(parameter) if parameter.grad is None else parameter.grad
            kept[f"grad:{name}"] = _array(gradient)
        answer["stages"].append("gradient")
    _exact(model, request["inputs"], request["seed"], kept)
    model.float()
    _restore(model, kept)
    if "gradient" in answer["stages"] and request["steps"]:
        kept["losses"] = numpy.array(_train(model, inputs, request["steps"]))
        answer["stages"].append("steps")


def _layers(model: torch.nn.Module, inputs: list[Any]) -> LayerRecord:
    """What each layer gives; as much as there is where hooks do not go."""
    record = LayerRecord()

    def note(name: str, module: torch.nn.Module, output: Any) -> None:
        tensors = [tensor.detach() for _, tensor in leaves(output, torch.is_tensor)]
        arrays = [(one.float() if one.dtype == torch.bfloat16 else one).numpy() for one in tensors]
        record.add(name, type(module).__name__, arrays)

    handles = []
    try:
        for name, module in model.named_modules():
            if name:
                hook = functools.partial(lambda name, module, _, output: note(name, module, output), name)
                handles.append(module.register_forward_hook(hook))
        with torch.no_grad():
            model(*inputs)
    except Exception:  # noqa: BLE001 - it went well without hooks; their record is only for explaining
        pass
    for handle in handles:
        handle.remove()
    return record


def _draw_weights(model: torch.nn.Module, seed: int, kept: dict[str, Any]) -> None:
    """Other weights and running statistics than the program starts with."""
    learned = []
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.copy_(torch.from_numpy(numpy.asarray(drawn(name, _array(parameter), seed))))
            kept[f"weight:{name}"] = _array(parameter)
            learned.append(name)
        for name, buffer in model.named_buffers():
            if name.rpartition(".")[2] in _STATISTICS:
                buffer.copy_(torch.from_numpy(drawn(name, _array(buffer), seed)))
                kept[f"weight:{name}"] = _array(buffer)
    kept["learned"] = numpy.array(learned, dtype=str)


def _restore(model: torch.nn.Module, kept: dict[str, Any]) -> None:
    with torch.no_grad():
        for name, tensor in (*model.named_parameters(), *model.named_buffers()):
            if f"weight:{name}" in kept:
                tensor.copy_(torch.from_numpy(kept[f"weight:{name}"]))


def _exact(model: torch.nn.Module, texts: list[str], seed: int, kept: dict[str, Any]) -> None:
    """The same in float64: how far torch's own float32 is from it is what the port is measured by."""
    try:
        with torch.no_grad():
            double = map_arrays(input_arrays(texts, seed), _double)
            out = model.double()(*double)
    except Exception:  # noqa: BLE001 - a program that fixes float32 somewhere: there is no such measure then
        return
    for path, tensor in leaves(out, torch.is_tensor):
        kept[f"exact:{path}"] = tensor.numpy()


def _loss(outputs: dict[str, Any]) -> Any:
    terms = [
        (tensor * torch.from_numpy(weighting(path, tuple(tensor.shape)))).sum()
        / max(1, tensor.numel()) ** 0.5
        for path, tensor in outputs.items()
        if tensor.is_floating_point()
    ]
    return sum(terms) if terms else None


def _train(model: torch.nn.Module, inputs: list[Any], steps: int) -> list[float]:
    """The losses of plain gradient steps, in evaluation mode: no dropout, the running statistics stay."""
    losses = []
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    for _ in range(steps):
        optimizer.zero_grad()
        loss = _loss(dict(leaves(model(*inputs), torch.is_tensor)))
        loss.backward()
        optimizer.step()
        losses.append(float(loss))
    return losses


def _double(array: Any) -> Any:
    tensor = torch.from_numpy(array)
    return tensor.double() if tensor.is_floating_point() else tensor


def _array(tensor: torch.Tensor) -> Any:
    return tensor.detach().numpy().copy()


if __name__ == "__main__":
    serve_once(probe)
