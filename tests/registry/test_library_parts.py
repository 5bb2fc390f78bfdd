"""Parts of libraries that mindport has in torch: by which names they go, and modules of some of them."""

from __future__ import annotations

import ast

import pytest

from mindport.registry.library_parts import LibraryParts, part_of, parts_of
from mindport.registry.location import mappings_folder

LIBRARIES = sorted(path.stem for path in (mappings_folder() / "_libraries").glob("*.py"))


def parts(library: str) -> LibraryParts:
    found = parts_of(library)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("dotted", "part"),
    [
        ("timm.layers.DropPath", "DropPath"),
        ("timm.models.layers.DropPath", "DropPath"),
        ("timm.models.layers.drop.DropPath", "DropPath"),
        ("timm.models.vision_transformer.Block", "Block"),
        ("timm.models.resnet.Block", ""),
        ("timm.models.layers.attention.Attention", ""),
        ("timm.create_model", ""),  # only where models are registered
        ("timm.layers", ""),
        ("timm", ""),
        ("timmy.layers.DropPath", ""),
        ("accelerate.Accelerator", "Accelerator"),
        ("accelerate.utils.set_seed", "set_seed"),
        ("accelerate.notebook_launcher", ""),
        ("accelerate.PreparedLoader", ""),
        ("pytorch_lightning.utilities.rank_zero_only", "rank_zero_only"),
        ("pytorch_lightning.utilities.distributed.rank_zero_only", "rank_zero_only"),
        ("pytorch_lightning.seed_everything", "seed_everything"),
        ("pytorch_lightning.LightningModule", ""),
        ("pytorch_lightning.utilities.process_rank", ""),
        ("torch_scatter.scatter_add", "scatter_add"),
        ("torch_scatter.composite.scatter_softmax", "scatter_softmax"),
        ("torch_scatter.composite.softmax.scatter_softmax", "scatter_softmax"),
        ("torch_scatter.scatter_div", ""),
        ("torch_scatter.grouped_size", ""),
        ("torch.nn.Linear", ""),
        ("../timm.DropPath", ""),
        ("", ""),
    ],
)
def test_part_of(dotted: str, part: str) -> None:
    assert part_of(dotted) == part


@pytest.mark.parametrize("library", LIBRARIES)
def test_every_name_is_defined_and_stands_alone(library: str) -> None:
    where = ast.literal_eval(
        next(
            node.value
            for node in ast.parse(
                (mappings_folder() / "_libraries" / f"{library}.py").read_text("utf-8")
            ).body
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "WHERE"
        )
    )
    for module, names in where.items():
        assert module.partition(".")[0] == library
        for name in names.split():
            source = parts(library).source([name])
            statements = ast.parse(source).body
            defined = {getattr(one, "name", "") for one in statements}
            bound = {ast.unparse(one.targets[0]) for one in statements if isinstance(one, ast.Assign)}
            assert name in defined | bound
            assert not bound & {"WHERE", "ONLY_WITH"}


def test_a_module_has_what_its_parts_stand_on_and_no_more() -> None:
    source = parts("timm").source(["Mlp", "to_2tuple"])
    defined = [
        node.name for node in ast.parse(source).body if isinstance(node, (ast.ClassDef, ast.FunctionDef))
    ]
    assert defined == ["to_ntuple", "Mlp"]
    assert "to_2tuple = to_ntuple(2)" in source
    assert "import math" not in source and "import torch.nn as nn" in source


def test_what_a_project_has_no_use_for() -> None:
    assert parts("timm").idle(["from timm import create_model"]) == {"create_model"}
    assert parts("timm").idle(["@register_model\n", "create_model('mine')"]) == frozenset()


@pytest.mark.parametrize(
    ("rank", "expected"), [({}, [3, None]), ({"RANK": "0"}, [3, None]), ({"LOCAL_RANK": "1"}, [7, 7])]
)
def test_what_only_the_first_process_does(
    monkeypatch, rank: dict[str, str], expected: list[int | None]
) -> None:
    for name in ("RANK", "LOCAL_RANK", "SLURM_PROCID", "JSM_NAMESPACE_RANK"):
        monkeypatch.delenv(name, raising=False)
    for name, number in rank.items():
        monkeypatch.setenv(name, number)
    module: dict[str, object] = {}
    exec(parts("pytorch_lightning").source(["rank_zero_only"]), module)
    only = module["rank_zero_only"]
    assert callable(only)
    assert [only(lambda: 3, 7)(), only(lambda: None, default=7)()] == expected
    assert only(test_part_of).__name__ == "test_part_of"
