"""One task of a trial, in a process of its own: imports a file, runs one as a program, or evaluates an expression in
its names. Tells what happens as it happens, because the process may end at any time."""

from __future__ import annotations

import importlib
import importlib.util
import os
import runpy
import sys
import warnings
from importlib.machinery import PathFinder
from types import FrameType, ModuleType
from typing import Any, Callable

from program.arrays import input_arrays, leaves, map_arrays
from program.entry import EntryError, build
from trial_arguments import AskedArguments
from trial_rest import networks_after
from trial_watch import TrialWatch

_HIDDEN = "torch"
_OWN = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120
_FRAMES = 100
_RATE = 1e-3


class WithoutTorch(PathFinder):
    """Finds modules as ever, but not torch: as on a machine that does not have it, also for who only asks."""

    @classmethod
    def find_spec(cls, fullname: str, path: Any = None, target: Any = None) -> Any:
        """None for torch."""
        return None if fullname.partition(".")[0] == _HIDDEN else super().find_spec(fullname, path, target)


class NoForward(Exception):
    """The expression gives nothing that could be called with the inputs."""


def run_task(
    task: dict[str, Any], send: Callable[[dict[str, Any]], None], leave: Callable[[int], None]
) -> None:
    """Do what `task` says (`kind`: import, script, rest or call) and send the events: `import`, `build`, `forward`,
    `train` as they are reached, at last `end`, `exit` with a code, or `error`. `leave` ends the process."""
    own = os.getpid()

    def tell(event: dict[str, Any]) -> None:
        if os.getpid() == own:
            send(event)

    def leave_early(code: int) -> None:
        if os.getpid() == own:
            watch.note_networks()
            tell({"kind": "exit", "code": code})
        leave(code)

    def done() -> None:
        tell({"kind": "end"})
        leave(0)

    watch = TrialWatch(tell, done, task["steps"])
    asked = AskedArguments()
    _prepare(task, watch)
    asked.install()
    os._exit = leave_early  # type: ignore[assignment]
    try:
        _run(task, tell, watch)
        watch.note_networks()
        tell({"kind": "end"})
    except SystemExit as error:
        tell(_left(error, watch, asked.missing(error, task["folder"])))
    except BaseException as error:  # noqa: BLE001 - the user's program may raise anything
        described = _described(error, watch) if task["kind"] != "rest" else _after(error, task, watch)
        tell({**described, "asks_for": asked.missing(error, task["folder"])})
    leave(0)


def _after(error: BaseException, task: dict[str, Any], watch: TrialWatch) -> dict[str, Any]:
    """The description of `error`, once the networks that come after it are built; else of why one is not."""
    described = _described(error, watch)
    try:
        for network in networks_after(error, task["folder"]):
            watch.reach("build", network)
    except Exception as another:  # noqa: BLE001 - the user's program may raise anything
        return {**_described(another, watch), "stage": "build"}
    return described


def _prepare(task: dict[str, Any], watch: TrialWatch) -> None:
    import mindspore

    warnings.simplefilter("ignore")
    sys.meta_path[:] = [WithoutTorch if one is PathFinder else one for one in sys.meta_path]
    sys.path[:] = [*task["path"], *(one for one in sys.path if os.path.abspath(one) != _OWN)]  # noqa: PTH100
    os.chdir(task["directory"])
    mindspore.set_context(mode=mindspore.GRAPH_MODE if task["mode"] == "graph" else mindspore.PYNATIVE_MODE)
    mindspore.set_device(task["device"])
    if task["mode"] != "graph":
        mindspore.runtime.launch_blocking()
    watch.install()
    # The port may have modules with the names of these.
    for name, module in list(sys.modules.items()):
        if name != "__main__" and str(getattr(module, "__file__", None)).startswith(_OWN):
            del sys.modules[name]


def _run(task: dict[str, Any], tell: Callable[[dict[str, Any]], None], watch: TrialWatch) -> None:
    sys.argv = [task["file"], *task["arguments"]]
    if task["kind"] in ("script", "rest"):
        if task["as_module"]:
            runpy.run_module(task["module"], run_name="__main__", alter_sys=True)
        else:
            runpy.run_path(task["file"], run_name="__main__")
        return
    module = _imported(task)
    tell({"kind": "import", "what": task["module"]})
    if task["kind"] == "call":
        _try_value(build(module, task["entry"]), task, watch)


def _imported(task: dict[str, Any]) -> ModuleType:
    if all(part.isidentifier() for part in task["module"].split(".")):
        return importlib.import_module(task["module"])
    # `01_train.py` can be run, and not imported by a name.
    spec = importlib.util.spec_from_file_location("tried", task["file"])
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["tried"] = module
    spec.loader.exec_module(module)
    return module


def _try_value(value: Any, task: dict[str, Any], watch: TrialWatch) -> None:
    """Call a network that an expression gave, and train it for the steps of the task. What is no network was watched
    while the expression ran."""
    import mindspore

    if not isinstance(value, mindspore.nn.Cell):
        if task["inputs"]:
            raise NoForward(f"the entry gives no network but {type(value).__name__}, which takes no --input")
        return
    watch.reach("build", value)
    if not task["inputs"]:
        return
    inputs = map_arrays(input_arrays(task["inputs"], 1), mindspore.Tensor)
    value.set_train(True)

    def loss_of(*arguments: Any) -> Any:
        result = value(*arguments)
        means = [
            tensor.mean()
            for _, tensor in leaves(result, lambda one: isinstance(one, mindspore.Tensor))
            if tensor.dtype in (mindspore.float16, mindspore.bfloat16, mindspore.float32, mindspore.float64)
        ]
        return sum(means[1:], means[0]) if means else None

    if loss_of(*inputs) is None:
        return
    # How outputs are chosen is not for a compiler; the forward pass was compiled where a graph is the target.
    mindspore.set_context(mode=mindspore.PYNATIVE_MODE)
    weights = mindspore.ParameterTuple(value.trainable_params())
    if not weights:
        return
    optimizer = mindspore.nn.SGD(weights, learning_rate=_RATE)
    step = mindspore.value_and_grad(loss_of, None, weights)
    for _ in range(task["steps"]):
        _, gradients = step(*inputs)
        optimizer(gradients)


def _left(error: SystemExit, watch: TrialWatch, asks_for: str) -> dict[str, Any]:
    """The description of how a program ended itself."""
    if error.code in (None, 0):
        watch.note_networks()
        return {"kind": "end"}
    code = error.code if isinstance(error.code, int) else 1
    words = "" if isinstance(error.code, int) else str(error.code)
    return {**_described(error, watch), "code": code, "message": words, "asks_for": asks_for}


def _described(error: BaseException, watch: TrialWatch) -> dict[str, Any]:
    """What is to be known of an error: the names of its classes, its text, the calls on the way to it, and the stage
    of the program that it belongs to."""
    frames: list[list[Any]] = []
    making: list[Any] = []
    running: list[Any] = []
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if not code.co_filename.startswith((_OWN, "<frozen")) and code.co_filename != runpy.__file__:
            frames.append([code.co_filename, trace.tb_lineno, code.co_name])
        if code.co_name in ("__init__", "construct") and code.co_argcount:
            subject = _first_argument(trace.tb_frame)
            (making if code.co_name == "__init__" else running).append(subject)
        trace = trace.tb_next
    if isinstance(error, SyntaxError) and error.filename:
        frames.append([error.filename, error.lineno or 1, ""])
    return {
        "kind": "error",
        "classes": [one.__name__ for one in type(error).__mro__],
        "message": _text(error)[:2000],
        "module": getattr(error, "name", None) if isinstance(error, ImportError) else None,
        "is_entry": isinstance(error, (EntryError, NoForward)),
        "frames": frames if len(frames) <= _FRAMES else [*frames[:20], *frames[20 - _FRAMES :]],
        "stage": watch.stage_of(making, running),
    }


def _first_argument(frame: FrameType) -> Any:
    return frame.f_locals.get(frame.f_code.co_varnames[0])


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except Exception as another:  # noqa: BLE001 - a class of the user's
        return f"(its text cannot be had: {type(another).__name__})"
