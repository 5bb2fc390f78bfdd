"""What is compiled because something compiled calls it: functions and methods of the project, wherever they are."""

import pytest

from mindport.checking.analysis import analyse
from mindport.checking.engine import Engine
from mindport.checking.findings import findings_about
from mindport.checking.project import check_paths
from mindport.checking.reporter import Reporter
from mindport.config.rule_filter import RuleFilter
from mindport.config.settings import Settings
from mindport.mapping.index import load_index
from mindport.model.target import Device, Mode, Target, Version
from mindport.source.text import SourceText
from mindport.usage.project import Project

HELPER = "def helper(x):\n    try:\n        return x + 1\n    except ValueError:\n        return x\n"
NET = "from torch import nn\nclass Net(nn.Module):\n    def forward(self, x):\n        return {}\n"
CELL = "from mindspore import nn\nclass Net(nn.Cell):\n    def construct(self, x):\n        return {}\n"
JIT = "import mindspore as ms\n@ms.jit\ndef run(x):\n    return {}\n"
METHOD = "\n    def helper(self, x):\n        yield x\n"


def project_of(files):
    project = Project("/project")
    for name, text in files.items():
        project.add(f"/project/{name}", text)
    return project


def called(project, name="net.py", networks=True):
    """What is found in a file: construct, line, and the names of the functions on the way there."""
    return [
        (one.place.name, one.place.span.line, [caller.name for caller in one.callers])
        for one in project.called_places(f"/project/{name}", networks=networks)
    ]


FOUND = [
    # A function of the same file, of each that is compiled.
    ({"net.py": HELPER + NET.format("helper(x)")}, [("try", 2, ["Net.forward"])]),
    ({"net.py": HELPER + CELL.format("helper(x)")}, [("try", 2, ["Net.construct"])]),
    ({"net.py": HELPER + JIT.format("helper(x)")}, [("try", 2, ["run"])]),
    # Through others, and once where several ways lead there.
    (
        {"net.py": HELPER + "def between(x):\n    return helper(x)\n" + NET.format("between(x) + between(x)")},
        [("try", 2, ["Net.forward", "between"])],
    ),
    # Methods: of the object itself, of its base, of what it holds.
    ({"net.py": NET.format("self.helper(x)") + METHOD}, [("yield", 7, ["Net.forward"])]),
    (
        {
            "net.py": "from torch import nn\nclass Base(nn.Module):" + METHOD
            + "class Net(Base):\n    def forward(self, x):\n        return self.helper(x)\n"
        },
        [("yield", 4, ["Net.forward"])],
    ),
    (
        {
            "net.py": "from torch import nn\nclass Tool:" + METHOD + "class Net(nn.Module):\n"
            "    def __init__(self):\n        super().__init__()\n        self.tool = Tool()\n"
            "    def forward(self, x):\n        return self.tool.helper(x)\n"
        },
        [("yield", 4, ["Net.forward"])],
    ),
    # What the shapes tell belongs to it, too.
    (
        {"net.py": "import math\nfrom torch import Tensor\ndef helper(x: Tensor):\n"
         "    return math.sqrt(x.sum().item())\n" + NET.format("helper(x)")},
        [("math", 4, ["Net.forward"])],
    ),
    (
        {"net.py": "def helper(x):\n    return helper(x) or {1}\n" + NET.format("helper(x)")},
        [("set", 2, ["Net.forward"])],
    ),
]  # fmt: skip
SILENT = [
    HELPER,
    HELPER + NET.format("x"),
    HELPER + NET.format("x") + "def train(net, x):\n    return helper(net(x))\n",
    # The name is handed on or compared, not called.
    HELPER + NET.format("use(helper, x)"),
    HELPER + NET.format("x if self.f is helper else -x"),
    # The name means something else.
    HELPER + NET.format("(lambda helper: helper(x))(self.f)"),
    NET.format("x.helper(x)") + METHOD,
    NET.format("other.helper(x)") + METHOD,
    # Constructors run before.
    HELPER
    + "class Tool:\n    def __init__(self):\n        self.a = helper(1)\n"
    + NET.format("Tool().a + x"),
    # What is no network.
    HELPER + "class Net:\n    def forward(self, x):\n        return helper(x)\n",
]


@pytest.mark.parametrize(("files", "expected"), FOUND)
def test_calls_are_followed(files, expected):
    assert called(project_of(files)) == expected


@pytest.mark.parametrize("text", SILENT)
def test_what_no_compiled_function_calls_is_left_alone(text):
    assert called(project_of({"net.py": text})) == []


def test_networks_are_compiled_in_graph_mode_only():
    for text, count in ((NET, 0), (CELL, 0), (JIT, 1)):
        assert len(called(project_of({"net.py": HELPER + text.format("helper(x)")}), networks=False)) == count


def test_a_call_leads_into_another_file():
    net = "from tools import helper as h\n" + NET.format("h(x)")
    project = project_of({"tools.py": HELPER, "net.py": net})
    assert called(project, "tools.py") == [("try", 2, ["Net.forward"])]
    assert called(project, "net.py") == []


EDITS = [
    ("net.py", NET.format("x"), []),
    ("net.py", "\n\n" + NET.format("helper(x)"), []),  # the import is gone
    ("net.py", "from tools import helper\n" + NET.format("helper(x)"), [("try", 2, ["Net.forward"])]),
    ("tools.py", "# 工具 🚀\n\n" + HELPER, [("try", 4, ["Net.forward"])]),
    ("tools.py", "def helper(x):\n    return x\n", []),
    ("tools.py", HELPER, [("try", 2, ["Net.forward"])]),
    ("net.py", "from tools import helper\n" + CELL.format("helper(x)"), [("try", 2, ["Net.construct"])]),
    ("net.py", "from tools import helper\n" + JIT.format("helper(x)"), [("try", 2, ["run"])]),
    ("tools.py", HELPER.replace("helper", "other"), []),
]


def test_an_edit_in_either_file_is_seen():
    files = {"tools.py": HELPER, "net.py": NET.format("x")}
    project = project_of(files)
    for name, text, expected in EDITS:
        files[name] = text
        project.add(f"/project/{name}", text)
        assert called(project, "tools.py") == expected == called(project_of(files), "tools.py")


@pytest.mark.parametrize("mode", Mode)
def test_the_finding_stands_in_what_is_called_and_tells_who_calls_it(mode, tmp_path):
    paths = [str(tmp_path / "net.py"), str(tmp_path / "tools.py")]
    (tmp_path / "tools.py").write_text(
        "def helper(x):\n    return between(x)\n" + HELPER.replace("helper", "between")
    )
    (tmp_path / "net.py").write_text("from tools import helper\n" + NET.format("helper(x)"))
    target = Target(Version.parse("2.10.0"), Device.CPU, mode)
    reports = list(check_paths(paths, Settings(), target, str(tmp_path), use_cache=False))
    found = [(report.path, one) for report in reports for one in report.findings if one.rule == "MP401"]
    if mode is Mode.PYNATIVE:
        assert found == []
        return
    ((path, finding),) = found
    assert (path, finding.span.line) == (paths[1], 4)
    assert [(one.path, one.span.line, one.message) for one in finding.related] == [
        (paths[0], 4, "Net.forward becomes a graph, with all that it calls"),
        (paths[1], 1, "helper is called in that graph"),
    ]


OBJECT = """\
import mindspore as ms
from mindspore import nn
{}
class Scale:
    def __call__(self, x):
        return x * 2
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.scale = Scale()
    def construct(self, x):
        return {}
"""


@pytest.mark.parametrize(
    ("version", "decorator", "value", "lines"),
    [
        ("2.7.0", "", "self.scale(x)", [5]),
        ("2.7.1", "", "self.scale(x)", [5]),
        ("2.7.0", "@ms.jit_class", "self.scale(x)", []),
        ("2.7.0", "", "self.scale.__class__", []),
        ("2.8.0", "", "self.scale(x)", []),
        ("2.10.0", "", "self.scale(x)", []),
    ],
)
def test_a_plain_object_that_is_called_needs_a_decorator_in_old_versions(version, decorator, value, lines):
    project = project_of({"net.py": OBJECT.format(decorator, value)})
    engine = Engine(Target(Version.parse(version), Device.CPU, Mode.GRAPH))
    called = project.called_places("/project/net.py", networks=True)
    findings = [finding for one in called for finding in findings_about(one, engine)]
    assert [one.span.line for one in findings if one.rule == "MP405"] == lines
    assert all("mindspore.jit_class" in one.message for one in findings)


def test_the_editor_says_the_same_as_the_command_line():
    files = {"net.py": HELPER + NET.format("helper(x)")}
    path = "/project/net.py"
    project = project_of(files)
    engine = Engine(Target(Version.parse("2.10.0"), Device.CPU, Mode.GRAPH), load_index())
    text = files["net.py"]
    file = analyse(path, SourceText(path, text), project, engine.target)
    found = Reporter(engine, RuleFilter(Settings()), path).report(file, text).findings
    assert [one.rule for one in found if one.related] == ["MP401"]
