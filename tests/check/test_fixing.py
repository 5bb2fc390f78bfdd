"""Fixing: what is changed, what is left alone, and that a second run changes nothing."""

import subprocess

import pytest

from mindport.checking.engine import Engine
from mindport.checking.fixing import fix_paths, fix_text
from mindport.config.rule_filter import RuleFilter
from mindport.config.settings import Settings
from mindport.mapping.index import MappingIndex
from mindport.mapping.schema import Case, CatalogueNames, Evidence, Mapping
from mindport.source.discovery import full_path
from mindport.source.text import SourceText
from mindport.usage.project import Project


def mapping(name, call, fix="safe", **changes):
    evidence = Evidence("value-shape-dtype", "2.13.0", "2.10.0", "CPU", "run", 3, case=0)
    return Mapping(
        CatalogueNames(function=name),
        "one",
        [Case("renamed", call=call, fix=fix, **changes)],
        evidence=[evidence],
    )


INDEX = MappingIndex.of(
    [
        mapping("torch.relu", "mindspore.ops.relu"),
        mapping("torch.sigmoid", "mindspore.ops.sigmoid", fix="unsafe"),
        mapping("torch.cosh", "mindspore.ops.cosh", fix="display"),
    ]
)


def fixed(text, target, settings=None, unsafe=False, newline="\n"):
    source = SourceText("a.py", text, newline=newline)
    project = Project(full_path("."))
    project.add(full_path("a.py"), text)
    engine = Engine(target, index=INDEX)
    result = fix_text("a.py", source, project, engine, RuleFilter(settings or Settings()), unsafe=unsafe)
    assert project.usage(full_path("a.py")) is not None
    return result


HEAD = "from mindspore import ops\n"
CHANGED = [
    ("import torch\ny = torch.relu(x)\n", "from mindspore import ops\ny = ops.relu(x)\n", 1),
    # What nothing used goes with the rest: the file is to run without torch.
    (
        "import torch\nfrom torch import nn\ny = torch.relu(x)\n",
        "from mindspore import ops\ny = ops.relu(x)\n",
        1,
    ),
    (
        "import torch\ny = torch.relu(torch.relu(x))\n",
        "from mindspore import ops\ny = ops.relu(ops.relu(x))\n",
        2,
    ),
    (
        "import torch\ny = torch.relu(  # 中文 😀\n    x)\nz = torch.sigmoid(x)\n",
        "import torch\nfrom mindspore import ops\ny = ops.relu(  # 中文 😀\n    x)\nz = torch.sigmoid(x)\n",
        1,
    ),
]


@pytest.mark.parametrize(("before", "after", "count"), CHANGED)
def test_safe_fixes_are_applied_and_a_second_run_changes_nothing(before, after, count, target):
    result = fixed(before, target)
    assert (result.text, result.applied) == (after, count)
    assert fixed(after, target).text == after


def test_line_ends_stay(target):
    text = "import torch\r\ny = torch.relu(x)\r\n"
    assert fixed(text, target, newline="\r\n").text == "from mindspore import ops\r\ny = ops.relu(x)\r\n"


UNCHANGED = [
    "import torch\ny = torch.sigmoid(x)\n",
    "import torch\ny = torch.cosh(x)\n",
    "import torch\ny = torch.tanh(x)\n",
    "import torch\ny = torch.relu(x)  # mindport: ignore\n",
    "import torch\ny = torch.relu(x)  # mindport: ignore[MP110] reason\n",
    "# mindport: ignore-file\nimport torch\ny = torch.relu(x)\n",
    "import numpy as torch\ny = torch.relu(x)\n",
    "y = 'torch.relu(x)'\n",
]


@pytest.mark.parametrize("text", UNCHANGED)
def test_the_rest_is_left_alone(text, target):
    result = fixed(text, target)
    assert (result.text, result.applied) == (text, 0)


def test_unsafe_fixes_are_applied_when_asked_for_and_shown_ones_never(target):
    text = "import torch\ny = torch.sigmoid(torch.cosh(x))\n"
    assert "ops.sigmoid(torch.cosh(x))" in fixed(text, target, unsafe=True).text


def test_a_rule_that_is_not_selected_is_not_fixed(target):
    text = "import torch\ny = torch.relu(x)\n"
    assert fixed(text, target, Settings(ignore=("MP110",))).text == text


class TestPaths:
    TEXT = "import torch\ny = torch.no_such_name\nz = torch.relu(x)\n"

    @pytest.fixture(autouse=True)
    def small_index(self, monkeypatch):
        monkeypatch.setattr(
            "mindport.checking.fixing.Engine", lambda target, index, language: Engine(target, index=INDEX)
        )

    def run(self, names, target, **options):
        return list(fix_paths(names, Settings(), target, ".", **options))

    def test_nothing_is_written_and_what_is_left_is_reported(self, folder, target, tmp_path):
        (file,) = self.run(folder({"a.py": self.TEXT}), target)
        assert file.after.text.endswith("z = ops.relu(x)\n") and file.applied == 1
        assert [finding.rule for finding in file.report.findings] == ["MP113"]
        assert (tmp_path / "a.py").read_text() == self.TEXT

    @pytest.mark.parametrize(
        "content", [b"x = '\xff'\n", "import torch\ndef f(:\n  torch.relu(x)\n", b"\x00"]
    )
    def test_a_file_that_is_not_read_whole_is_left_alone(self, folder, target, content):
        bad, good = self.run(folder({"bad.py": content, "good.py": self.TEXT}), target)
        assert bad.problem is not None and bad.applied == 0
        assert bad.after is None or bad.after.text == bad.before.text
        assert good.applied == 1

    def test_a_configuration_file_is_not_changed(self, folder, target):
        (file,) = self.run(folder({"c.yaml": "a: torch.relu\n"}), target)
        assert file.after == file.before and file.problem is None

    def git(self, *words):
        command = ["git", "-c", "user.name=a", "-c", "user.email=a@b", *words]
        subprocess.run(command, check=True, capture_output=True)

    def test_uncommitted_changes_are_refused_unless_allowed(self, folder, target):
        self.git_names = folder({"clean.py": self.TEXT, "dirty.py": "x = 1\n"})
        self.git("init", "-q")
        self.git("add", ".")
        self.git("commit", "-qm", "start")
        names = [*folder({"dirty.py": self.TEXT, "new.py": self.TEXT, "same.py": "x = 2\n"}), "clean.py"]
        dirty, new, same, clean = self.run(names, target)
        assert "uncommitted" in dirty.problem.message and dirty.after == dirty.before
        assert "uncommitted" in new.problem.message
        assert same.problem is None
        assert clean.problem is None and clean.applied == 1
        assert [file.applied for file in self.run(names, target, allow_dirty=True)] == [1, 1, 0, 1]

    def test_files_that_call_each_other_are_fixed_together(self, folder, target):
        from mindport.checking.fixing import fix_paths as fix

        files = {
            "net.py": "from torch import nn\n\n\nclass Net(nn.Module):\n    def train(self):\n        pass\n",
            "use.py": "from net import Net\n\nnet = Net()\nnet.eval()\n",
        }
        names = folder(files)
        first = {file.path: file.after for file in fix(names, Settings(), target, ".")}
        again = list(fix(names, Settings(), target, ".", overlay=first))
        assert [file.applied for file in again] == [0, 0]

    def test_an_unused_import_goes_from_files_without_fixes_too(self, folder, target):
        names = folder({"a.py": self.TEXT, "b.py": "import torch\nimport a\nprint(a.z)\n"})
        assert [file.after.text for file in self.run(names, target)][1] == "import a\nprint(a.z)\n"
        alone = folder({"c.py": "import torch\nprint(1)\n"})
        assert [file.applied for file in self.run(alone, target)] == [0]
        (ported,) = fix_paths(alone, Settings(), target, ".", unsafe=True)  # for which that is all of torch
        assert ported.after.text == "print(1)\n"

    def test_what_was_not_fixed_is_left_in_the_report(self, folder, target):
        text = "import torch\ny = torch.relu(x)\nz = torch.relu(w)  # mindport: ignore\n"
        (file,) = self.run(folder({"a.py": text}), target)
        assert file.report.findings == () and file.report.suppressed == 1
        assert "y = ops.relu(x)" in file.after.text and "z = torch.relu(w)" in file.after.text


def test_what_a_comment_says_is_not_left(target, tmp_path):
    text = (
        "import torch\n\n\ndef pick(it: torch.Tensor, rows: torch.Tensor, weights):\n"
        "    # it.copy_(torch.multinomial(weights, 1))  次\n"
        "    it.index_copy_(0, rows, torch.multinomial(weights, 1).view(-1).index_select(0, rows))\n"
    )
    (tmp_path / "a.py").write_text(text, encoding="utf-8")
    (file,) = fix_paths([str(tmp_path / "a.py")], Settings(), target, str(tmp_path), unsafe=True)
    assert "ops.multinomial(weights, 1" in file.after.text
    assert [one.api for one in file.report.findings] == []


def test_what_a_later_round_made_possible_is_not_left(target, tmp_path):
    text = (
        "import torch\n\n\ndef of(net, x):\n    y = net(x)\n"
        "    return torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)[0]\n\n\n"
        "points = torch.tensor([1.0], requires_grad=True)\n"
    )
    (tmp_path / "a.py").write_text(text, encoding="utf-8")
    files = fix_paths([str(tmp_path / "a.py")], Settings(), target, str(tmp_path), unsafe=True)
    (file,) = (one for one in files if not one.is_new)
    assert "points = mindspore.tensor([1.0])" in file.after.text
    assert file.report.findings == ()


@pytest.mark.parametrize("own", ["class TorchAdam:  # 自己的 🙂\n    pass\n", "TorchAdam = None\n"])
def test_a_call_that_keeps_its_name_is_left_whatever_is_written_in_it(own, target):
    text = (
        f"import torch\n\n{own}net = torch.nn.Linear(2, 3)\noptimizer = torch.optim.Adam(net.parameters())\n"
    )
    project = Project("/project")
    project.add("/project/a.py", text)
    source = SourceText("/project/a.py", text)
    found = fix_text("/project/a.py", source, project, Engine(target), RuleFilter(Settings()), unsafe=True)
    assert "optim.Adam(net.trainable_params())" in found.text
    uses = project.usage("/project/a.py").uses
    assert "torch.optim.Adam" not in [uses[index].api for index in found.fixed_uses]
