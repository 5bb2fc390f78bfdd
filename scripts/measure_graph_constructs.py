#!/usr/bin/env python
"""Runs every construct of mappings/_graph/constructs.json in PyNative, under `jit` and in graph mode, and writes what
became of it: accepted, refused, differs, frozen (the same value in every call), lost (a side effect) or crashes.

Run it with a Python that has MindSpore. What an older version than the file speaks of does otherwise is kept beside.
`--check` writes nothing and fails where the file claims something else."""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parent.parent
CONSTRUCTS = REPOSITORY / "mappings" / "_graph" / "constructs.json"
SECONDS = 900
ATTEMPTS = 6
MODES = ("pynative", "jit", "graph")


def main() -> int:
    """Run, compare, write; 0 if the file says what was seen."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("names", nargs="*")
    options.add_argument("--check", action="store_true")
    options.add_argument("--run", action="store_true", help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.run:
        return _run()
    constructs = json.loads(CONSTRUCTS.read_text())
    chosen = [one for one in constructs if not given.names or one["name"] in given.names]
    seen = measured(chosen)
    version = importlib.metadata.version("mindspore")
    wrong = 0
    for construct in chosen:
        outcome, text = seen[construct["name"]]
        claimed = claimed_on(version, construct)
        if claimed != outcome:
            wrong += 1
            print(f"{construct['name']}: {claimed} -> {outcome} {text}")
        if is_older(version, construct):
            earlier = {**construct.get("earlier", {}), version: outcome}
            kept = {one: other for one, other in earlier.items() if other != construct["outcome"]}
            construct |= {"earlier": dict(sorted(kept.items(), key=lambda one: _numbers_of(one[0])))}
            if not kept:
                del construct["earlier"]
        else:
            construct |= {"outcome": outcome, "text": text, "version": version}
    if not given.check:
        CONSTRUCTS.write_text(json.dumps(constructs, indent=2, ensure_ascii=False) + "\n")
    return 1 if given.check and wrong else 0


def is_older(version: str, construct: dict[str, Any]) -> bool:
    """Whether a version is older than the one that the file speaks of."""
    return "version" in construct and _numbers_of(version) < _numbers_of(construct["version"])


def claimed_on(version: str, construct: dict[str, Any]) -> str | None:
    """What the file claims of a version that was measured."""
    if is_older(version, construct) and version in construct.get("earlier", {}):
        return str(construct["earlier"][version])
    return construct.get("outcome")


def _numbers_of(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def measured(constructs: list[dict[str, str]]) -> dict[str, tuple[str, str]]:
    """Name -> outcome and the first line of what MindSpore said. A construct that ends every process it has for itself
    crashes; the others go on in a new one."""
    found: dict[str, tuple[str, str]] = {}
    left = list(constructs)
    while left:
        found.update(_seen(left))
        crashed = next((one for one in left if one["name"] not in found), None)
        if crashed is not None:
            found[crashed["name"]] = _alone(crashed)
        left = [one for one in left if one["name"] not in found]
    return found


def _alone(construct: dict[str, str]) -> tuple[str, str]:
    """The outcome of a construct in processes of its own. What ran before it may have ended the last one, and some end
    theirs now and then where MindSpore mostly says what it refuses."""
    for _ in range(ATTEMPTS):
        seen = _seen([construct])
        if seen:
            return seen[construct["name"]]
    return "crashes", "the process ends"


def _seen(constructs: list[dict[str, str]]) -> dict[str, tuple[str, str]]:
    """The outcomes of the constructs that one process comes to."""
    done = subprocess.run(
        [sys.executable, __file__, "--run"],
        input=json.dumps(constructs),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
        env={**os.environ, "OMP_NUM_THREADS": "1", "GLOG_v": "4"},
    )
    answers = (json.loads(line[2:]) for line in done.stdout.splitlines() if line.startswith("@@"))
    return {name: outcome_of(runs) for name, runs in answers}


def outcome_of(runs: dict[str, Any]) -> tuple[str, str]:
    """What became of a construct, from its runs in each mode: two calls and what was observed after them, or an
    error."""
    plain = runs["pynative"]
    if "error" in plain:
        return "refused everywhere", plain["error"]
    for mode in ("jit", "graph"):
        if "error" in runs[mode]:
            return "refused", runs[mode]["error"]
    for mode in ("jit", "graph"):
        first, second = runs[mode]["calls"]
        if first == second and plain["calls"][0] != plain["calls"][1]:
            return "frozen", ""
    for mode in ("jit", "graph"):
        if runs[mode]["calls"] != plain["calls"]:
            return "differs", ""
        if runs[mode]["observed"] != plain["observed"]:
            return "lost", f"{runs[mode]['observed']} instead of {plain['observed']}"
        if runs[mode]["gradient"] != plain["gradient"]:
            is_zero = not any(_numbers(runs[mode]["gradient"]))
            return ("no gradient" if is_zero else "other gradient"), ""
    return "accepted", ""


def _run() -> int:
    """In a process of its own: run what comes on the input, one line of output for each."""
    for construct in json.load(sys.stdin):
        with tempfile.TemporaryDirectory() as folder:
            runs = {mode: _run_in(construct, mode, Path(folder)) for mode in MODES}
        print("@@" + json.dumps([construct["name"], runs]), flush=True)
    return 0


def _run_in(construct: dict[str, str], mode: str, folder: Path) -> dict[str, Any]:
    import mindspore as ms
    import numpy as np

    name = f"{construct['name'].replace('-', '_')}_{mode}"
    path = folder / f"{name}.py"
    path.write_text(_source(construct, mode))
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # MindSpore looks functions up by the name of their module
    ms.set_context(mode=ms.GRAPH_MODE if mode == "graph" else ms.PYNATIVE_MODE)
    try:
        spec.loader.exec_module(module)
        net = module.Net()
        calls = []
        a = None
        for factor in (1, 2):
            a = ms.Tensor(np.array([[0.2, -1.5, 3.0], [1.0, 2.0, -0.5]], np.float32) * factor)
            calls.append(_plain(net(a)))
        names = {"net": net, "module": module, "a": a, "ms": ms}
        observed = repr(eval(construct["observe"], names)) if "observe" in construct else ""
    except Exception as error:  # noqa: BLE001  whatever it is, it is the answer
        return {"error": f"{type(error).__name__}: {str(error).strip().splitlines()[0]}"[:160]}
    return {"calls": calls, "observed": observed, "gradient": _gradient(net, a)}


def _gradient(net: Any, a: Any) -> Any:
    """The gradient for the input, or why there is none: that need not hold for all modes alike."""
    import mindspore as ms

    try:
        return _plain(ms.grad(net)(a))
    except Exception as error:  # noqa: BLE001  whatever it is, it is the answer
        return type(error).__name__


def _numbers(value: Any) -> list[float]:
    if isinstance(value, list):
        return (
            [number for one in value for number in _numbers(one)] if len(value) != 2 else _numbers(value[1])
        )
    return [value] if isinstance(value, float) else [1.0]


def _source(construct: dict[str, str], mode: str) -> str:
    init = textwrap.indent(construct.get("init", "pass"), " " * 8)
    body = textwrap.indent(construct["code"], " " * 8)
    decorator = "    @ms.jit\n" if mode == "jit" else ""
    return (
        "import numpy as np\nimport mindspore as ms\nfrom mindspore import Tensor, nn, ops\n"
        f"{construct.get('setup', '')}\n"
        f"class Net(nn.Cell):\n    def __init__(self):\n        super().__init__()\n{init}\n"
        f"{decorator}    def construct(self, x):\n{body}\n"
    )


def _plain(value: Any) -> Any:
    """A result as plain data, rounded so that modes may differ in the last digits."""
    if isinstance(value, (tuple, list)):
        return [_plain(one) for one in value]
    return (
        [list(value.shape), value.asnumpy().round(4).tolist()] if hasattr(value, "asnumpy") else repr(value)
    )


if __name__ == "__main__":
    sys.exit(main())
