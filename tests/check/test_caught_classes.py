"""Classes of torch behind `except`: one class there may become several, and the compiled modules name some of them."""

from __future__ import annotations

import pytest

from mindport.checking.engine import Engine
from mindport.checking.fixing import fix_text
from mindport.config.rule_filter import RuleFilter
from mindport.config.settings import Settings
from mindport.model.target import Device, Mode, Target, Version
from mindport.source.discovery import full_path
from mindport.source.text import SourceText
from mindport.usage.api_use import Form
from mindport.usage.project import Project

TARGET = Target(Version.parse("2.10.0"), Device.CPU, Mode.PYNATIVE)
TRY = """\
import torch


def inverse(a: torch.Tensor):
    try:
        return torch.linalg.cholesky(a)
    except {caught}:
        return None
"""
CAUGHT = {
    "torch.linalg.LinAlgError": "(RuntimeError, ValueError)",
    "torch._C._LinAlgError": "(RuntimeError, ValueError)",
    "torch.linalg.LinAlgError as error": "(RuntimeError, ValueError) as error",
    "(torch.linalg.LinAlgError)": "((RuntimeError, ValueError))",
    # A tuple takes no tuples.
    "(KeyError, torch.linalg.LinAlgError)": "(KeyError, RuntimeError, ValueError)",
    "(torch.linalg.LinAlgError, KeyError) as error": "(RuntimeError, ValueError, KeyError) as error",
    "(torch._C._LinAlgError,)": "(RuntimeError, ValueError,)",
    "(torch.linalg.LinAlgError, torch.cuda.OutOfMemoryError)": "(RuntimeError, ValueError, MemoryError)",
    "(KeyError, torch.cuda.CudaError)": "(KeyError, RuntimeError)",
    "torch.cuda.CudaError": "RuntimeError",
    "(KeyError, (torch.linalg.LinAlgError))": "(KeyError, (torch.linalg.LinAlgError))",
    "(KeyError, torch.jit.Error)": "(KeyError, torch.jit.Error)",
    "RuntimeError": "RuntimeError",
    "torch._C._Missing": "torch._C._Missing",
}


def project_of(text: str) -> Project:
    project = Project(full_path("."))
    project.add(full_path("a.py"), text)
    return project


@pytest.mark.parametrize("caught", CAUGHT)
def test_what_is_caught(caught: str) -> None:
    text = TRY.format(caught=f"{caught}:  # 奇异 🙂").replace("🙂:", "🙂")
    source = SourceText("a.py", text)
    result = fix_text("a.py", source, project_of(text), Engine(TARGET), RuleFilter(Settings()), unsafe=True)
    assert f"    except {CAUGHT[caught]}:  # 奇异 🙂\n" in result.text


@pytest.mark.parametrize(
    ("name", "api"),
    [
        ("torch._C._LinAlgError", "torch.linalg.LinAlgError"),
        ("torch._C.Generator", "torch.Generator"),
        ("torch._C._TensorBase", "torch.Tensor"),
        ("torch._C._nn.gelu", "torch.nn.functional.gelu"),
        ("torch._C._special", "torch._C._special"),
    ],
)
def test_names_of_the_compiled_modules(name: str, api: str) -> None:
    uses = project_of(f"import torch\n\nx = {name}\n").usage(full_path("a.py")).uses
    assert [use.api for use in uses if use.form is Form.VALUE] == [api]
