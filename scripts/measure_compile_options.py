#!/usr/bin/env python
"""Gives MindSpore every option of mappings/_graph/options.json and writes whether it is accepted or refused.

Run it with a Python that has MindSpore, on CPU. What an older version than the file speaks of does otherwise is kept
beside. `--check` writes nothing and fails where the file claims something else."""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from measure_graph_constructs import claimed_on, is_older

OPTIONS = Path(__file__).resolve().parent.parent / "mappings" / "_graph" / "options.json"
SECONDS = 180
# A file, as MindSpore reads the source of what it compiles.
PROGRAM = """
import numpy as np
import mindspore as ms
from mindspore import nn, ops
ms.set_context(mode=ms.GRAPH_MODE)
def f(x):
    return ops.tanh(x * 2 + 1)
class Net(nn.Cell):
    def construct(self, x):
        return ops.tanh(x * 2 + 1)
net = Net()
x = ms.Tensor(np.ones((2, 3), np.float32))
"""


def main() -> int:
    """Run, compare, write; 0 if the file says what was seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    options = json.loads(OPTIONS.read_text(encoding="utf-8"))
    version = importlib.metadata.version("mindspore")
    wrong = 0
    for option in options:
        outcome, text = measured(option["code"])
        claimed = claimed_on(version, option)
        if claimed != outcome:
            wrong += 1
            print(f"{option['name']}: {claimed} -> {outcome} {text}")
        keep(option, version, outcome, text)
    if not given.check:
        rows = ",\n".join(f"  {json.dumps(option, ensure_ascii=False)}" for option in options)
        OPTIONS.write_text(f"[\n{rows}\n]\n", encoding="utf-8")
    return 1 if given.check and wrong else 0


def keep(option: dict[str, Any], version: str, outcome: str, text: str) -> None:
    """Note in an option what a version did with it."""
    if not is_older(version, option):
        option |= {"outcome": outcome, "text": text, "version": version}
        return
    earlier = {**option.get("earlier", {}), version: outcome}
    earlier = {one: other for one, other in earlier.items() if other != option["outcome"]}
    option.pop("earlier", None)
    if earlier:
        option["earlier"] = earlier


def measured(code: str) -> tuple[str, str]:
    """What became of code in a process of its own, and what MindSpore said where it refused it."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "program.py"
        program.write_text(PROGRAM + code + "\n", encoding="utf-8")
        done = subprocess.run(
            [sys.executable, program],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
            env={**os.environ, "GLOG_v": "4"},
        )
    if done.returncode == 0:
        return "accepted", ""
    errors = [line for line in done.stderr.splitlines() if "Error: " in line]
    return "refused", (errors[-1] if errors else "the process ends")[:160]


if __name__ == "__main__":
    sys.exit(main())
