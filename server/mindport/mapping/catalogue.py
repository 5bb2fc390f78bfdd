"""The mapping files of a folder: finding, reading and checking them together."""

from __future__ import annotations

from pathlib import Path

import msgspec

from mindport.mapping.draft import draft_problems
from mindport.mapping.facts_check import check_against_facts
from mindport.mapping.files import mapping_files
from mindport.mapping.load import read_mapping_file
from mindport.mapping.names import listed_names
from mindport.mapping.problem import MappingProblem
from mindport.mapping.shared_evidence import shipped_rows, with_shipped
from mindport.mapping.validate import check_mapping, unproved_safe_cases
from mindport.registry.mindspore import mindspore_facts
from mindport.registry.torch import torch_facts


def check_catalogue(
    root: Path, paths: list[Path] | None = None, evidence: bool = False
) -> tuple[int, tuple[MappingProblem, ...]]:
    """How many files were read, and all their problems; `paths` limits what is reported, not what names are
    compared with. With `evidence`, `fix: safe` without an agreeing run is a problem too."""
    problems: list[MappingProblem] = []
    owner: dict[str, str] = {}
    everything = mapping_files(root)
    wanted = everything if paths is None else paths
    rows = shipped_rows(root / "_evidence") if evidence else {}
    for path in wanted:
        file = (
            path.relative_to(root.parent).as_posix() if path.is_relative_to(root.parent) else path.as_posix()
        )
        mapping = read_mapping_file(path, file)
        if isinstance(mapping, tuple):
            problems += mapping
            continue
        found = check_mapping(mapping, file)
        problems += found or check_against_facts(mapping, file, torch_facts(), mindspore_facts())
        problems += draft_problems(mapping, file)
        for name, form in listed_names(mapping.torch):
            if name in owner:
                where = "twice in this file" if owner[name] == file else f"already in {owner[name]}"
                problems.append(MappingProblem(file, f"torch.{form}", f"{name} is listed {where}"))
            owner.setdefault(name, file)
        if evidence:
            newest = str(mindspore_facts().collected_version)
            known = with_shipped(mapping, rows)
            seen = [one for one in known.evidence if one.mindspore == newest]
            for index in unproved_safe_cases(msgspec.structs.replace(known, evidence=seen)):
                problems.append(MappingProblem(file, f"cases[{index}].fix", "safe, but no run agrees"))
    return len(wanted), tuple(problems)
