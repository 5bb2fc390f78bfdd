"""Drafts the mapping file of a torch name from the signatures of both frameworks.

Prints the draft, or writes it with --write, never over a file. What it cannot know it leaves as texts that begin with
`DRAFT:`; scripts/validate_mappings.py lists them until they are written. Exits 1 where somebody has judged the name, 2
for a name that torch does not have."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "server")]

from drafting.draft import draft_of  # noqa: E402  after the path is set
from mindport.mapping.index import load_index  # noqa: E402
from mindport.mapping.problem import did_you_mean  # noqa: E402
from mindport.model.target import Device, Target  # noqa: E402
from mindport.registry.mindspore import collected_versions  # noqa: E402
from mindport.registry.torch import torch_facts  # noqa: E402


def main() -> int:
    """Draft; the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("name", help="a public torch name, such as torch.nn.functional.leaky_relu")
    devices = [device.value for device in (Device.CPU, Device.ASCEND)]
    parser.add_argument(
        "--device", choices=devices, default="CPU", help="what the counterparts should run on"
    )
    parser.add_argument("--write", action="store_true", help="write the file instead of printing it")
    parser.add_argument("--mappings", type=Path, default=ROOT / "mappings", help="another folder of mappings")
    options = parser.parse_args()
    name = torch_facts().canonical(options.name)
    if name is None:
        print(f"torch has no {options.name}{_near(options.name)}", file=sys.stderr)
        return 2
    index = load_index(options.mappings)
    if index.find(name) is not None:
        print(f"{name} is already judged in {options.mappings / index.file(name)}", file=sys.stderr)
        return 1
    target = Target(collected_versions()[-1], Device(options.device))
    text = draft_of(name, target, index).text()
    if not options.write:
        print(text, end="")
        return 0
    path = options.mappings.joinpath(*name.split(".")).with_suffix(".yaml")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        print(f"{path} exists already and was not changed", file=sys.stderr)
        return 1
    print(path)
    return 0


def _near(name: str) -> str:
    """The nearest name of the same owner, else of all."""
    torch = torch_facts()
    owner = torch.canonical(name.rpartition(".")[0])
    members = [f"{owner}.{member}" for member in torch.members(owner)] if owner else []
    return did_you_mean(name, members or torch.names())


if __name__ == "__main__":
    sys.exit(main())
