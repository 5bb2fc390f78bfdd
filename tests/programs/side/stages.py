"""One side of one program: `python stages.py torch|mindspore SPEC.json`, started by program_bench.sides.

Imports the program's driver from a copy of the repository and runs its stages, each on a fresh model with the same
weights. What each returned goes to OUT.npz and how it went to OUT.json after every stage, so that a crash loses
nothing."""

import contextlib
import importlib
import io
import json
import os
import random
import signal
import sys
import time
import traceback
import warnings
from pathlib import Path

import numpy as np

SIDE, SPEC = sys.argv[1], json.loads(Path(sys.argv[2]).read_text())
REPOSITORY, OUT, LIMIT = SPEC["copy"], SPEC["out"], SPEC["seconds"]
IMPORT_LIMIT = 25
# How far the weights are moved to see what rounding does to a result: the last bit, and a little more.
ROUNDING = (6e-8, 1e-6)


class TooLongError(Exception):
    """A stage took more processor time than the program may take."""


def too_long(*_):
    raise TooLongError(f"took more than {LIMIT} s")


class Stages:
    """Runs stages one after the other and keeps what they gave."""

    def __init__(self, framework):
        self.framework = framework
        self.driver = None
        self.arrays = {}
        self.report = {"stages": {}, "imports": {}, "parts": {}, "weights": {}}
        self.started = time.time()

    def save(self):
        np.savez(OUT + ".npz", **self.arrays)
        self.report["weights"] = self.framework.loaded
        self.report["seconds"] = round(time.time() - self.started, 1)
        Path(OUT + ".json.new").write_text(json.dumps(self.report, indent=1))
        Path(OUT + ".json.new").replace(OUT + ".json")

    def stage(self, name, function):
        """Run a stage and say in the report how it went. Gives what it returned, None where it failed."""
        value, said = attempt(function, LIMIT)
        self.report["stages"][name] = said
        return value

    def went_well(self, name):
        return self.report["stages"].get(name, {}).get("ok", False)

    def import_driver(self):
        self.driver = self.stage("driver", lambda: importlib.import_module("driver"))
        self.save()

    def nets(self):
        self.framework.seed()
        random.seed(0)
        np.random.seed(0)
        nets = self.driver.build()
        return tuple(nets) if isinstance(nets, tuple | list) else (nets,)

    def fresh(self, jitter=0.0):
        nets = self.nets()
        self.framework.load(nets, jitter)
        self.framework.seed(SPEC["seed"])
        return nets

    def build(self):
        nets = self.stage("builds", self.nets)
        if self.went_well("builds"):
            self.stage("builds", lambda: self.framework.begin(nets))
        self.save()

    def run(self, name, call, rounding=()):
        """Run a stage of the driver and keep its outputs, then again with moved weights."""
        values = self.stage(name, lambda: call(0.0))
        if self.went_well(name):
            _, said = attempt(lambda: self.keep(name, values), LIMIT)
            if not said["ok"]:
                self.report["stages"][name] = said
        if self.went_well(name):
            for number, jitter in enumerate(rounding):
                self.keep(f"rounding{number}/{name}", attempt(lambda jitter=jitter: call(jitter), LIMIT)[0])
        self.save()

    def run_driver(self):
        rounding = ROUNDING if SIDE == "torch" else ()
        if hasattr(self.driver, "init"):
            self.framework.seed()
            self.run("init", lambda _: self.driver.init())
        if self.went_well("builds"):
            self.run("forward", lambda jitter: self.driver.forward(*self.fresh(jitter)), rounding)
            if hasattr(self.driver, "train"):
                self.run("train", lambda jitter: self.driver.train(*self.fresh(jitter)), rounding)

    def run_graph(self):
        if self.went_well("forward"):
            self.framework.compile_everything()
            self.run("graph", lambda _: self.driver.forward(*self.fresh()))

    def import_files(self):
        for name in SPEC["modules"]:
            os.chdir(REPOSITORY)
            sys.argv = ["driver.py"]
            with contextlib.redirect_stderr(io.StringIO()):
                _, said = attempt(lambda name=name: importlib.import_module(name), IMPORT_LIMIT)
            self.report["imports"][name] = "ok" if said["ok"] else f"{said['error'][:160]} ({said['at']})"
        self.save()

    def keep(self, stage, values):
        """Keep outputs as arrays. An output may be a function: it runs on its own, so that it hides no other."""
        for name, value in (values or {}).items():
            if callable(value) and not hasattr(value, "shape"):
                value, said = attempt(value, LIMIT)
                if not said["ok"]:
                    self.report["parts"][f"{stage}/{name}"] = f"raises {said['error']} at {said['at']}"
                    continue
            if isinstance(value, list | tuple) and any(
                getattr(one, "shape", ()) not in ((), []) for one in value
            ):
                for index, one in enumerate(value):
                    self.arrays[f"{stage}/{name}.{index}"] = array(one)
            elif isinstance(value, list | tuple):
                self.arrays[f"{stage}/{name}"] = np.array([float(array(one).reshape(-1)[0]) for one in value])
            else:
                value = array(value)
                self.arrays[f"{stage}/{name}"] = value.std() if stage == "init" and value.size > 1 else value


def attempt(function, seconds):
    """What a call returned, and how it went. Only an interruption from outside gets through."""
    signal.setitimer(signal.ITIMER_PROF, seconds)  # processor time: other work on the machine decides nothing
    before = time.time()
    value = None
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            value = function()
        said = {"ok": True}
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001  a program may end with SystemExit
        text = " ".join(str(error).partition("\n----")[0].split())
        said = {"ok": False, "error": f"{type(error).__name__}: {text[:240]}", "at": where(error)}
        if os.environ.get("PROGRAM_TRACE"):
            traceback.print_exc()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    said["seconds"] = round(time.time() - before, 1)
    return value, said


def where(error):
    """The last line of the repository that was on the way to the error."""
    if isinstance(error, SyntaxError) and error.filename:
        return (
            f"{os.path.relpath(error.filename, REPOSITORY)}:{error.lineno} {(error.text or '').strip()[:80]}"
        )
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if REPOSITORY in map(str, Path(frame.filename).absolute().parents)]
    last = (own or frames)[-1]
    return f"{os.path.relpath(last.filename, REPOSITORY)}:{last.lineno} {(last.line or '').strip()[:100]}"


def array(value):
    if hasattr(value, "detach"):
        value = value.detach()
    if hasattr(value, "asnumpy"):
        value = value.asnumpy()
    value = np.asarray(value)
    return (
        value.astype("float64") if value.dtype != object else np.array([array(one) for one in value.tolist()])
    )


def main():
    warnings.filterwarnings("ignore")
    signal.signal(signal.SIGPROF, too_long)
    # Taken while the path still begins with this folder; the repository may have modules of the same names.
    framework = importlib.import_module(f"{SIDE}_side").Framework(SPEC)
    sys.path[0] = REPOSITORY
    sys.argv = ["driver.py"]
    os.chdir(REPOSITORY)
    stages = Stages(framework)
    stages.import_driver()
    if stages.went_well("driver"):
        stages.build()
        stages.run_driver()
    stages.import_files()
    if SPEC["graph"] and SIDE == "mindspore":
        stages.run_graph()
    sys.stdout.flush()
    os._exit(0)  # threads of the program or of a framework must not keep it


if __name__ == "__main__":
    main()
