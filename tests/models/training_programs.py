"""The training programs: which form of a step each has, what it is run with, and its losses in torch and as a port, by
whatever interpreter."""

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from command import fix

from loaded_frameworks import run_python

FOLLOWED = Path(__file__).parent / "programs"
RECORDED = Path(__file__).parent / "recorded_programs"
LOSSES_OF = Path(__file__).parent / "losses_of.py"
DIFFERENCE = 1e-4

# The forms of a training step, each with the programs that have it; those of agents and inner loops are recorded.
FORMS = {
    "plain": ["train_digits", "train_pairs", "train_sequences", "train_solver", "train_writers"],
    "accumulation": ["train_variants", "trainers"],
    "clipping": ["train_phases", "train_variants", "steps_by_hand"],
    "AMP": ["train_variants", "trainers"],
    "GAN": ["train_dcgan", "adversaries"],
    "WGAN-GP": ["train_wgan_gp", "adversaries"],
    "DDPG, TD3": ["deterministic_agents"],
    "SAC, PPO, REINFORCE": ["stochastic_agents"],
    "seq2seq with teacher forcing": ["translation"],
    "EMA": ["train_weights", "trainers", "written_weights"],
    "weights that no loss reaches, networks made late": ["idle_weights", "late_networks"],
    "SAM": ["sharpness", "wrapped_optimizers"],
    "MAML's inner loop": ["inner_gradients"],
    "optimizers of one's own, LBFGS": ["own_optimizers", "quasi_newton"],
    "tensors without an optimizer": ["plain_tensors"],
    "checkpoints of one's own": ["own_checkpoints"],
    "networks that hold their optimizers": ["copied_networks"],
    "gradients of networks without an optimizer": ["shared_gradients"],
    "gradients of several losses at once": ["gradients_of_several"],
    "gradients changed in place": ["changed_gradients"],
}


def normal(random, *shape, scale=1.0):
    return (random.standard_normal(shape) * scale).astype("float32")


def digits(random):
    return {"images": normal(random, 3, 5, 1, 12, 12), "labels": random.integers(0, 10, (3, 5))}


def dcgan(random):
    return {"images": normal(random, 4, 5, 3, 16, 16), "noise": normal(random, 4, 5, 8, 1, 1)}


def wgan_gp(random):
    alpha = random.random((4, 5, 1, 1, 1), dtype="float32")
    return {"images": normal(random, 4, 5, 1, 8, 8), "noise": normal(random, 4, 5, 6), "alpha": alpha}


def variants(random):
    return {"inputs": normal(random, 5, 6, 6), "labels": random.integers(0, 3, (5, 6))}


def of_recorded(random):
    return {
        "states": normal(random, 5, 4, 4),
        "actions": np.tanh(normal(random, 5, 4, 2)),
        "rewards": normal(random, 5, 4, 1),
        "following": normal(random, 5, 4, 4),
        "choices": random.integers(0, 3, (5, 4)),
        "sources": random.integers(0, 12, (6, 3, 5)),
        "targets": random.integers(0, 12, (6, 3, 4)),
        "inputs": normal(random, 5, 6, 6),
        "labels": random.integers(0, 3, (5, 6)),
        "noise": normal(random, 4, 5, 4),
        "real": normal(random, 4, 5, 6),
        "alpha": random.random((4, 5, 1), dtype="float32"),
    }


class TrainingProgram(NamedTuple):
    """A program with the data that it trains on, and how widely its weights are spread at the start."""

    file: Path
    data: Callable[[np.random.Generator], dict[str, Any]]
    spread: float


DATA = {"train_digits": digits, "train_dcgan": dcgan, "train_wgan_gp": wgan_gp}


def training_programs():
    """All of them by name."""
    found = {}
    for file in sorted(FOLLOWED.glob("train_*.py")):
        found[file.stem] = TrainingProgram(file, DATA.get(file.stem, variants), 0.15)
    for file in sorted(RECORDED.glob("*.py")):
        found[file.stem] = TrainingProgram(file, of_recorded, 0.3)
    return found


def ported(folder, work, *options):
    """A copy of FOLLOWED or RECORDED in the folder `work`, converted."""
    port = work / folder.name
    port.mkdir(parents=True)
    for file in (
        [*folder.glob("*.py")] if folder == RECORDED else [*folder.glob("train_*.py"), folder / "dcgan.py"]
    ):
        shutil.copy(file, port)
    fix(port, *options)
    return port


def run(framework, program, arrays, folder, interpreter=sys.executable):
    """The losses of a program, a path, computed in a process of its own."""
    arguments = [str(LOSSES_OF), framework, str(program), str(arrays)]
    done = run_python(arguments, folder, framework, interpreter=str(interpreter))
    assert done.returncode == 0, done.stderr[-3000:]
    return np.array(json.loads(done.stdout.splitlines()[-1]))


def shapes(program):
    """The shapes of the parameters of a program in torch, a path, in the order in which they are set."""
    code = (
        f"import sys, json; sys.path.insert(0, {str(program.parent)!r}); import {program.stem} as module\n"
        "print(json.dumps([list(p.shape) for network in module.networks() for p in network.parameters()]))"
    )
    done = run_python(["-c", code], program.parent, "torch")
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


def arrays_for(program, folder):
    """A file with the data and the weights of a program."""
    random = np.random.default_rng(0)
    arrays = program.data(random)
    for number, shape in enumerate(shapes(program.file)):
        arrays[f"weights_{number}"] = normal(random, *shape, scale=program.spread)
    file = folder / f"{program.file.stem}.npz"
    np.savez(file, **arrays)
    return file


def losses(program, port, folder, interpreter=sys.executable):
    """The losses of a program in torch, and those of its port in the folder `port` by an interpreter, from the same
    weights."""
    arrays = arrays_for(program, folder)
    expected = run("torch", program.file, arrays, folder)
    return expected, run("mindspore", port / program.file.name, arrays, folder, interpreter)
