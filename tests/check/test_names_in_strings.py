"""Names of torch that are looked up by strings: those that the project writes are written out and converted."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.cli.main import main

HEAD = """import torch
from torch import nn, optim
import torch.nn.functional as F
import torchvision.models as models
from kinds import KINDS


"""
FIX = ("fix", "--unsafe-fixes", "--device", "CPU", "--target-version", "2.10.0")


def fixed(expression: str, strings: str) -> str:
    """The expression, in a function of `kind` and `config`, after the fix of a project that writes these strings."""
    Path("net.py").write_text(
        f"{HEAD}def make(kind, config):  # 中文 😀\n    return {expression}\n", encoding="utf-8"
    )
    Path("kinds.py").write_text(f"KINDS = [{strings}]\n", encoding="utf-8")
    main([*FIX, "."])
    return Path("net.py").read_text(encoding="utf-8").splitlines()[-1].strip().removeprefix("return ")


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("expression", "strings", "written"),
    [
        ("getattr(F, kind)", "'relu', 'gelu'", '{"gelu": ops.gelu, "relu": ops.relu}[kind]'),
        ("getattr(F, '😀' and kind)(config)", "'relu'", "{\"relu\": ops.relu}['😀' and kind](config)"),
        ("getattr(nn, config.kind, None)", '"ReLU"', '{"ReLU": TorchReLU}.get(config.kind, None)'),
        (
            "getattr(optim, kind)",
            "'SGD', 'Adam', 'Module'",
            '{"Adam": TorchAdam, "SGD": TorchSGD}[kind]',
        ),
        (
            "models.__dict__[config['arch']]()",
            "'resnet18', 'resnet'",
            "{\"resnet18\": torch_resnet18}[config['arch']]()",
        ),
        ("sorted(name for name in models.__dict__)", "1", "sorted(name for name in {})"),
        (
            "getattr(torch, config.forward_dtype)",
            "'sum', 'all', 'int8', 'relu'",
            '{"bfloat16": mindspore.bfloat16, "float16": mindspore.float16, "float32": mindspore.float32, '
            '"float64": mindspore.float64, "int8": mindspore.int8}[config.forward_dtype]',
        ),
        (
            "eval(kind)(config)",
            "'nn.ReLU', 'nn.SiLU()', 'GELU', 'nn.Nothing', 'F.relu'",
            'eval(kind, globals(), {**locals(), "nn": types.SimpleNamespace(ReLU=TorchReLU, SiLU=TorchSiLU)})(config)',
        ),
        ("eval(kind)(config)", "'ReLU', 'relu'", "eval(kind)(config)"),
        ("eval('1 + 1')", "'nn.ReLU'", "eval('1 + 1')"),
        ("config.eval(kind)", "'nn.ReLU'", "config.eval(kind)"),
        ("eval(kind, config)", "'nn.ReLU'", "eval(kind, config)"),
        ("hasattr(nn, kind) and config", "'ReLU'", 'kind in ("ReLU",) and config'),
        ("not hasattr(F, kind or '😀')", "'relu', 'gelu'", 'not (kind or \'😀\') in ("gelu", "relu")'),
        (
            "getattr(nn, f'Conv{config.axes}d')(1, 2, 3)",
            "'ReLU'",
            '{"Conv1d": TorchConv1d, "Conv2d": TorchConv2d, "Conv3d": TorchConv3d}[f\'Conv{config.axes}d\'](1, 2, 3)',
        ),
        ("getattr(torch, kind)", "'int8', 'abs'", '{"abs": ops.abs, "int8": mindspore.int8}[kind]'),
        # The module itself, for a function that looks names up in it.
        ("config.make('😀', F)", "'relu'", "config.make('😀', types.SimpleNamespace(relu=ops.relu))"),
        (
            "config(optim, kind, table={'layers': torch.nn, kind: models})",
            "'SGD', 'ReLU', 'resnet18'",
            "config(types.SimpleNamespace(SGD=TorchSGD), kind, "
            "table={'layers': types.SimpleNamespace(ReLU=TorchReLU), "
            "kind: types.SimpleNamespace(resnet18=torch_resnet18)})",
        ),
        (
            "sorted(dir(F)) + [config.F]",
            "'relu'",
            "sorted(dir(types.SimpleNamespace(relu=ops.relu))) + [config.F]",
        ),
        (
            "[name for name in models.__dict__ if callable(models.__dict__[name])]",
            "1",
            "[name for name in {} if callable({}[name])]",
        ),
        (
            "{one: models.__dict__[one] for one in sorted(models.__dict__)}",
            "'resnet18'",
            '{one: {"resnet18": torch_resnet18}[one] for one in sorted({"resnet18": torch_resnet18})}',
        ),
    ],
)
def test_names_are_written_out(expression: str, strings: str, written: str) -> None:
    assert fixed(expression, strings) == written
    before = Path("net.py").read_text(encoding="utf-8")
    main([*FIX, "."])
    assert Path("net.py").read_text(encoding="utf-8") == before


@pytest.mark.parametrize(
    ("expression", "strings"),
    [
        ("getattr(nn, kind)", "'relu', 'no_layer'"),  # names of another module, and of none
        ("getattr(nn, kind)", "1, relu"),
        ("getattr(torch, kind)", "'nn', 'optim'"),  # modules
        ("getattr(config, kind)", "'relu'"),
        ("config.__dict__[kind]", "'resnet18'"),
        ("models.__dict__[kind]()", "1"),  # none of its names is mentioned
        ("[models.__dict__[kind] for name in config.__dict__]", "1"),
        ("[models.__dict__[name] for name in config.__dict__]", "1"),  # listed from another place
        ("hasattr(nn, kind)", "'relu'"),
    ],
)
def test_what_stays(expression: str, strings: str) -> None:
    assert fixed(expression, strings) == expression


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("module", "known", "general"),
    [("optim", "SGD", "Optimizer"), ("optim.lr_scheduler", "StepLR", "LRScheduler")],
)
def test_configuration_may_name_any_optimizer(module: str, known: str, general: str) -> None:
    written = fixed(f"getattr({module}, config['kind'])(kind)", "'Adagrad'[:0]" if "." in module else "1")
    assert f'"{known}": Torch{known}' in written
    assert written.endswith("}[config['kind']](kind)")
    assert f'"{general}"' not in written


def test_safe_fixes_leave_them(capsys: pytest.CaptureFixture[str]) -> None:
    text = f"{HEAD}def make(kind='relu'):\n    return getattr(F, kind)\n"
    Path("net.py").write_text(text)
    main([one for one in FIX if one != "--unsafe-fixes"] + ["net.py"])
    assert "getattr(F, kind)" in Path("net.py").read_text()
    capsys.readouterr()
    main(["check", "--device", "CPU", "--locale", "en", "net.py"])
    assert (
        "MP115 [-] the name looked up in torch.nn.functional depends on `kind`; write out those that it may be: relu"
        in (capsys.readouterr().out)
    )


@pytest.mark.parametrize("default", ["", ", None"])
def test_torch_in_what_is_asked_is_converted(default: str) -> None:
    expression = (
        f"getattr(torch.relu(kind) if torch.is_tensor(kind) else config, 'a' + config.kind{default})()"
    )
    tested = "isinstance(kind, mindspore.Tensor)"
    expected = f"getattr(ops.relu(kind) if {tested} else config, 'a' + config.kind{default})()"
    assert fixed(expression, "'relu'") == expected


def configured(expression: str, files: dict[str, str]) -> str:
    """The expression after the fix of a project with these files of configuration."""
    for name, content in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(content, encoding="utf-8")
    return fixed(expression, "1")


@pytest.mark.parametrize(
    ("files", "written"),
    [
        ({"config.json": '{"act": "ReLU"}'}, '{"ReLU": TorchReLU}[kind]'),
        ({"config.json": '{"layers": [{"type": "ReLU"}, "GELU", 3]}'}, '{"GELU": TorchGELU, "ReLU": TorchReLU}[kind]'),
        ({"config.yaml": "net:\n  act: ReLU  # 中文\n"}, '{"ReLU": TorchReLU}[kind]'),
        ({"config.yml": "acts:\n  - 'ReLU'\n  - \"GELU\"\n"}, '{"GELU": TorchGELU, "ReLU": TorchReLU}[kind]'),
        ({"config.yaml": "acts: [ReLU, GELU]\n"}, '{"GELU": TorchGELU, "ReLU": TorchReLU}[kind]'),
        ({"config.yaml": "net: {act: ReLU, size: 3}\n"}, '{"ReLU": TorchReLU}[kind]'),
        ({"configs/a.json": '["ReLU"]', "configs/b.yaml": "act: GELU"}, '{"GELU": TorchGELU, "ReLU": TorchReLU}[kind]'),
        ({"cfg/train/a.yaml": "act: ReLU", "cfg/x/b.yml": "act: GELU"}, '{"GELU": TorchGELU, "ReLU": TorchReLU}[kind]'),
    ],
)  # fmt: skip
def test_names_in_configuration_are_written_out(files: dict[str, str], written: str) -> None:
    assert configured("getattr(nn, kind)", files) == written


@pytest.mark.parametrize(
    "files",
    [
        {
            "net.yaml": "head:\n  [[-1, 1, nn.ReLU, [None, 2]],\n   [-1, 1, Conv, [8]]]\nact: nn.GELU()  # 中文\n"
        },
        {"net.yaml": "a: nn.ReLU(inplace=True)\nb: 'nn.GELU'\nc: nn.Nothing\n"},
        {"net.json": '["nn.ReLU", {"act": "nn.GELU(1)"}]'},
    ],
)
def test_names_that_are_evaluated(files: dict[str, str]) -> None:
    names = "types.SimpleNamespace(GELU=TorchGELU, ReLU=TorchReLU)"
    assert configured("eval(kind)", files) == f'eval(kind, globals(), {{**locals(), "nn": {names}}})'


@pytest.mark.parametrize(
    "files", [{"net.yaml": "act: ReLU\ntext: an nn.ReLU there\n"}, {"net.json": '{"nn.ReLU": 1}'}]
)
def test_nothing_that_is_evaluated_is_named(files: dict[str, str]) -> None:
    assert configured("eval(kind)", files) == "eval(kind)"


@pytest.mark.parametrize(
    "files",
    [
        {"config.json": '{"ReLU": 1}'},  # a key
        {"config.json": '{"act": "nn.ReLU", "text": "use ReLU here"}'},
        {"config.json": '{"act": "ReLU"'},  # broken
        {"config.json": '{"act": "ReLU", "data": "' + 70_000 * "x" + '"}'},
        {"config.json": '{"act": "Relu6000"}'},
        {"config.yaml": "ReLU: 1\n"},
        {"config.yaml": "# act: uses ReLU\ntext: some ReLU there\n"},
        {"data/annotations.json": '{"act": "ReLU"}'},
        {"data/configs/annotations.json": '{"act": "ReLU"}'},
        {"configs/.hidden/a.json": '{"act": "ReLU"}'},
        {"config.txt": "act: ReLU\n"},
    ],
)
def test_what_configuration_does_not_name_stays(files: dict[str, str]) -> None:
    assert configured("getattr(nn, kind)", files) == "getattr(nn, kind)"


def test_configuration_names_nothing_where_code_names_optimizers() -> None:
    assert configured("getattr(optim, kind) if 'SGD' else 1", {"config.json": '["Adam"]'}).startswith(
        '{"SGD": TorchSGD}[kind]'
    )
