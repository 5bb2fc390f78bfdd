"""Takes the gradient of a critic's penalty for its weights in torch and in MindSpore, and prints how far they are
apart, relative to the largest.

The arguments are pairs of files, original and port. Each pair has a process of its own, a copy of this one, because an
error in a second order can leave a process unable to do anything else."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import mindspore
import numpy
import torch

SECONDS = 60  # for one pair


def compare(original: str, ported: str) -> dict[str, Any]:
    """What the port at one path does: `worst` and `where`, or what MindSpore `raises`."""
    values = numpy.random.default_rng(0)
    theirs, ours = load(original), load(ported)
    critic = theirs.Critic()
    weights = [values.normal(size=tuple(weight.shape)) * 0.5 for weight in critic.parameters()]
    start = values.normal(size=(2, 3, 8, 8))
    critic.double()
    for weight, value in zip(critic.parameters(), weights, strict=True):
        weight.data = torch.tensor(value)
    x = torch.tensor(start, requires_grad=True)
    loss = theirs.penalty(critic, x)
    wanted = torch.autograd.grad(loss, list(critic.parameters()), allow_unused=True)
    port = ours.Critic()
    parameters = port.trainable_params()
    for parameter, value in zip(parameters, weights, strict=True):
        parameter.set_data(mindspore.Tensor(value.astype("float32").reshape(parameter.shape)))

    def penalty(x: mindspore.Tensor) -> mindspore.Tensor:
        return ours.penalty(port, x)

    try:
        value, got = mindspore.value_and_grad(penalty, None, parameters)(
            mindspore.Tensor(start.astype("float32"))
        )
        found = [one.asnumpy() for one in got]
    except Exception as error:  # noqa: BLE001  the framework may raise anything
        lines = [line.strip() for line in str(error).splitlines() if line.strip(" -")]
        return {"raises": f"{type(error).__name__}: {' '.join(lines)[:200]}"}
    differences = {"the loss": abs(float(value.asnumpy()) - float(loss)) / max(abs(float(loss)), 1e-3)}
    zeros = [numpy.zeros(w.shape) if g is None else g.numpy() for g, w in zip(wanted, weights, strict=True)]
    largest = max(float(abs(one).max()) for one in zeros)
    for (name, _), want, have in zip(critic.named_parameters(), zeros, found, strict=True):
        differences[name] = float(abs(have.reshape(want.shape) - want).max()) / max(largest, 1e-3)
    where = max(differences, key=lambda name: differences[name])
    return {"worst": differences[where], "where": where}


def load(path: str) -> ModuleType:
    """The module in a file; what it imports may lie beside it."""
    sys.path.insert(0, str(Path(path).parent))
    specification = importlib.util.spec_from_file_location(
        f"{Path(path).parent.name}_{Path(path).stem}", path
    )
    assert specification is not None and specification.loader is not None
    module = sys.modules[specification.name] = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    sys.path.pop(0)
    return module


def main(pairs: list[str]) -> None:
    """Print one line of JSON for each pair, as soon as it is known."""
    torch.set_num_threads(1)
    for original, ported in zip(pairs[::2], pairs[1::2], strict=True):
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            signal.alarm(SECONDS)
            answer: dict[str, Any] = {}
            try:
                answer = compare(original, ported)
            except Exception as error:  # noqa: BLE001  a port that does not even start is an answer, too
                answer = {"raises": f"{type(error).__name__}: {error}"[:200]}
            finally:
                print("\n" + json.dumps({"ported": ported, **answer}), flush=True)
                os._exit(0)
        os.waitpid(child, 0)


if __name__ == "__main__":
    main(sys.argv[1:])
