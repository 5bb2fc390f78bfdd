"""Classes of torch that are named and not built: in annotations and in `isinstance`."""

import pytest
from converting import converted

from mindport.checking.engine import Engine
from mindport.checking.findings import findings_about
from mindport.checking.writable import as_writable, depends_on_text
from mindport.mapping.index import load_index
from mindport.model.target import Device, Mode, Target, Version
from mindport.rewrite.propose import propose
from mindport.source.lines import LineIndex
from mindport.usage.api_use import Form
from mindport.usage.project import Project

PATH = "/project/classes.py"
CLASSES = [name for name in load_index().names() if name.rpartition(".")[2][:1].isupper()]


@pytest.mark.thorough
@pytest.mark.parametrize("device", Device)
def test_what_is_promised_for_a_named_class_can_be_written(device):
    functions = (
        f"def f{number}(x: {name}):\n    return isinstance(x, {name})\n"
        for number, name in enumerate(CLASSES)
    )
    text = "import torch, torchvision\n" + "".join(functions)
    project = Project("/project")
    project.add(PATH, text)
    engine, lines = Engine(Target(Version(2, 10, 0), device, Mode.PYNATIVE)), LineIndex(text)
    promised = 0
    for use in project.usage(PATH).uses:
        assert "MP903" not in [finding.rule for finding in findings_about(use, engine)], use.api
        assessment = engine.assess(use)
        if depends_on_text(assessment):
            assessment = as_writable(use, assessment, lines, engine)
        if use.form in (Form.ANNOTATION, Form.TYPE_CHECK) and assessment.fix is not None:
            assert propose(use, assessment.judgement, lines, engine.torch, engine.mindspore), use.api
            promised += 1
    assert promised > 300


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        # No class of MindSpore draws on the CPU: the class that is put into the file stands for it.
        ("y = isinstance(x, torch.distributions.Gamma)", "y = isinstance(x, TorchGamma)"),
        ("def f(层: torch.distributions.Gamma): ...  # 🚀", "def f(层: TorchGamma): ...  # 🚀"),
        ("y = isinstance(x, torch.nn.ReLU)", "y = isinstance(x, nn.ReLU)"),
        # Which of two classes it is no annotation tells.
        ("def f(x: torch.nn.InstanceNorm2d): ...", "def f(x: torch.nn.InstanceNorm2d): ..."),
    ],
)
def test_the_class_that_is_built_is_named(code, expected):
    assert f"{expected}\n" in converted(f"import torch\n\n{code}\n")
