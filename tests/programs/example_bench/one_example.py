"""Runs one example as a program: `python one_example.py torch|mindspore ROOT FILE OUT PACKAGES BLOCKED`, and writes to
OUT what it left in its globals: shapes and dtypes of tensors, and how many numbers of layers are trained."""

import json
import os
import random
import runpy
import sys
import traceback
from pathlib import Path

import numpy as np

SIDE, FILE, PACKAGES = sys.argv[1], sys.argv[3], sys.argv[5]
ROOT, OUT = Path(sys.argv[2]), Path(sys.argv[4])
BENCH = Path(__file__).resolve().parent.parent
# What must live as long as the process.
KEPT = []


def framework():
    """The classes of tensors and layers, and how many numbers of a layer are trained."""
    random.seed(0)
    np.random.seed(0)
    if SIDE == "torch":
        sys.path.append(str(BENCH / "side"))
        import torch
        from torch_side import import_torchvision

        KEPT.append(import_torchvision())
        torch.manual_seed(0)
        torch.set_num_threads(1)
        # Where no GPU is, what an example moves there stays, as it does in the port.
        torch.Tensor.cuda = torch.nn.Module.cuda = lambda self, *device, **options: self
        return (
            torch.Tensor,
            torch.nn.Module,
            lambda layer: sum(p.numel() for p in layer.parameters() if p.requires_grad),
        )
    os.environ["PROGRAM_BLOCKED"] = sys.argv[6]
    KEPT.append(runpy.run_path(str(BENCH / "stubs" / "sitecustomize.py")))
    import mindspore

    mindspore.set_seed(0)
    mindspore.runtime.launch_blocking()
    return mindspore.Tensor, mindspore.nn.Cell, lambda layer: sum(p.size for p in layer.trainable_params())


def described(value, tensors, layers, size):
    """What is to be the same on both sides; None for values of other kinds."""
    if isinstance(value, tensors):
        return ["tensor", list(value.shape), str(value.dtype).rpartition(".")[2].lower()]
    if isinstance(value, layers):
        return ["layer", size(value)]
    if isinstance(value, list | tuple):
        parts = [described(one, tensors, layers, size) for one in value]
        return ["several", parts] if any(parts) else None
    return None


def main():
    """Run, and write how it went."""
    paths = ((ROOT / FILE).parent, ROOT, ROOT / "src", *([PACKAGES] if PACKAGES else []))
    sys.path[:0] = [str(one) for one in paths]
    os.environ.update(HOME=str(ROOT.parent), MPLBACKEND="Agg", CUDA_VISIBLE_DEVICES="")
    tensors, layers, size = framework()
    sys.argv = [FILE]
    report = {"error": "", "at": "", "values": {}}
    left = {}
    try:
        left = runpy.run_path(str(ROOT / FILE), run_name="__main__")
    except SystemExit as end:
        report["error"] = f"exit {end.code}" if end.code else ""
    except BaseException as error:  # noqa: BLE001  whatever ends an example is its result
        report["error"] = f"{type(error).__name__}: {error}"[:400]
        inside = [
            one for one in traceback.extract_tb(error.__traceback__) if one.filename.startswith(str(ROOT))
        ]
        report["at"] = f"{Path(inside[-1].filename).relative_to(ROOT)}:{inside[-1].lineno}" if inside else ""
    try:
        values = {name: described(value, tensors, layers, size) for name, value in left.items()}
        report["values"] = {name: value for name, value in values.items() if value}
    except Exception as error:  # noqa: BLE001
        report["error"] = f"in what it left: {type(error).__name__}: {error}"[:400]
    OUT.write_text(json.dumps(report))


main()
