"""The helpers of several files go into one module, which each imports as the files of its package import each other."""

import ast
from pathlib import Path

import pytest

from check.converting import converted
from mindport.checking.engine import Engine
from mindport.checking.fixing import fix_paths, fix_text
from mindport.config.rule_filter import RuleFilter
from mindport.config.settings import Settings
from mindport.mapping.helper_source import helper_source, needed_helpers
from mindport.rewrite.helper_module import HelperModule, helpers_of, unchanged_helpers, with_helpers_imported
from mindport.source.discovery import full_path
from mindport.source.text import SourceText, write_source
from mindport.source.trees import every_node
from mindport.usage.project import Project

NORM = (
    "import torch\n{imports}\n\ndef f(x, norm=torch.nn.BatchNorm2d):\n    return norm, torch.cumprod(x, 1)\n"
)
RELU = "import torch\n{imports}\n\ndef g(x, act=torch.nn.ReLU):\n    return act\n"
RUN = "import torch\n{imports}\n\nif __name__ == '__main__':\n    print(torch.cumprod(torch.ones(2, 2), 1))\n"
LINEAR = "import torch\n{imports}\n\ndef h(x, layer=torch.nn.Linear):\n    return layer\n"


def fixed(names, target, settings=None, **options):
    found = list(fix_paths(names, settings or Settings(), target, ".", allow_dirty=True, **options))
    return {file.path: file for file in found}


def written(files):
    """Write the files and give their texts."""
    for file in files.values():
        assert file.problem is None
        assert write_source(file.path, file.after) is None
    return {path: file.after.text for path, file in files.items()}


def imported(text):
    """What a text imports helpers from."""
    return [
        "." * node.level + node.module
        for node in every_node(ast.parse(text))
        if isinstance(node, ast.ImportFrom) and (node.module or "").endswith("torch_equivalents")
    ]


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        # Relative in a package, from every depth of it.
        (
            {
                "pkg/__init__.py": "from .a import f\n",
                "pkg/a.py": NORM.format(imports="from .sub.b import g"),
                "pkg/sub/__init__.py": "",
                "pkg/sub/b.py": RELU.format(imports=""),
            },
            {"pkg/a.py": ".torch_equivalents", "pkg/sub/b.py": "..torch_equivalents"},
        ),
        # Absolute where a function imports them so, as one that makes the network of a name does.
        (
            {
                "train.py": "def get(name):\n    if name == 'a':\n        from models.a import f\n"
                "    else:\n        from models.b import g as f\n    return f\n",
                "models/a.py": NORM.format(imports=""),
                "models/b.py": RELU.format(imports=""),
            },
            {"models/a.py": "models.torch_equivalents", "models/b.py": "models.torch_equivalents"},
        ),
        # In one module for packages of which one imports the other, though that has relative imports as well.
        (
            {
                "train.py": "from models.net import f\nf(1)\n",
                "models/__init__.py": "",
                "models/net.py": NORM.format(imports="from utils.layers import g"),
                "models/more.py": NORM.format(imports="from utils.layers import g\nfrom models.net import f"),
                "utils/__init__.py": "",
                "utils/layers.py": RELU.format(imports="from .linear import h"),
                "utils/linear.py": LINEAR.format(imports=""),
                "utils/other.py": LINEAR.format(imports="from .linear import h"),
            },
            {
                "models/net.py": "utils.torch_equivalents",
                "models/more.py": "utils.torch_equivalents",
                "utils/layers.py": ".torch_equivalents",
                "utils/linear.py": ".torch_equivalents",
            },
        ),
        # Not in that of a package that only a function imports.
        (
            {
                "train.py": "from models.net import f\nfrom utils.layers import g\nf(g(1))\n",
                "models/__init__.py": "",
                "models/net.py": NORM.format(imports="def late():\n    from utils.layers import g"),
                "models/more.py": NORM.format(imports="from models.net import f"),
                "utils/__init__.py": "",
                "utils/layers.py": RELU.format(imports="from .linear import h"),
                "utils/linear.py": LINEAR.format(imports=""),
            },
            {"models/more.py": "torch_equivalents", "utils/layers.py": "torch_equivalents"},
        ),
        # Absolute where the files of the package import each other so.
        (
            {
                "pkg/__init__.py": "",
                "pkg/a.py": NORM.format(imports="from pkg.b import g"),
                "pkg/b.py": RELU.format(imports=""),
            },
            {"pkg/a.py": "pkg.torch_equivalents", "pkg/b.py": "pkg.torch_equivalents"},
        ),
        # One file alone, whose helpers have many lines.
        (
            {"a.py": "import torch\n\nlayers = {1: torch.nn.Conv1d, 2: torch.nn.Conv2d}\n"},
            {"a.py": "torch_equivalents"},
        ),
        # Beside scripts.
        (
            {"a.py": NORM.format(imports=""), "main.py": RUN.format(imports="from a import f")},
            {"a.py": "torch_equivalents", "main.py": "torch_equivalents"},
        ),
        # Scripts that know nothing of each other, in a folder of their own.
        (
            {"x/a.py": RUN.format(imports=""), "x/b.py": RUN.format(imports="")},
            {"x/a.py": "torch_equivalents", "x/b.py": "torch_equivalents"},
        ),
        # A file that others import relatively, with calls for all of them.
        (
            {
                "nets/a.py": NORM.format(imports="from .b import g"),
                "nets/b.py": "import warnings\n"
                + RELU.format(imports="")
                + 'warnings.simplefilter("ignore")\n',
            },
            {"nets/a.py": ".torch_equivalents", "nets/b.py": ".torch_equivalents"},
        ),
        # A folder without `__init__.py` whose files are imported by way of it.
        (
            {
                "nets/a.py": NORM.format(imports=""),
                "nets/b.py": RELU.format(imports=""),
                "main.py": "from nets.a import f\nfrom nets.b import g\n",
            },
            {"nets/a.py": "nets.torch_equivalents", "nets/b.py": "nets.torch_equivalents"},
        ),
        # A script that imports a package has the classes of the package.
        (
            {
                "pkg/__init__.py": "from .a import f\n",
                "pkg/a.py": NORM.format(imports=""),
                "main.py": RUN.format(imports="from pkg import f"),
            },
            {"pkg/a.py": ".torch_equivalents", "main.py": "pkg.torch_equivalents"},
        ),
        # Packages beside the script that imports them, which are not installed.
        (
            {
                "nets/__init__.py": "",
                "nets/a.py": NORM.format(imports=""),
                "parts/__init__.py": "",
                "parts/b.py": RELU.format(imports="from nets.a import f"),
                "main.py": RUN.format(imports="from nets.a import f\nfrom parts.b import g"),
            },
            dict.fromkeys(("nets/a.py", "parts/b.py", "main.py"), "torch_equivalents"),
        ),
        # What a package is installed from is no package, whatever lies in it.
        (
            {
                "__init__.py": "",
                "setup.py": "from setuptools import setup\n\nsetup(packages=['pkg'])\n",
                "pkg/__init__.py": "from .a import *\n",
                "pkg/a.py": NORM.format(imports="from .b import *"),
                "pkg/b.py": RELU.format(imports=""),
            },
            {"pkg/a.py": ".torch_equivalents", "pkg/b.py": ".torch_equivalents"},
        ),
        # Neither is a clone that its files are imported from, though it has an `__init__.py`.
        (
            {
                "__init__.py": "",
                "utils/__init__.py": "",
                "utils/a.py": NORM.format(imports="from .b import g"),
                "utils/b.py": RELU.format(imports=""),
                "nets/__init__.py": "",
                "nets/deep/__init__.py": "",
                "nets/deep/c.py": NORM.format(imports="from utils.b import g"),
                "main.py": RUN.format(imports="from utils.a import f\nfrom nets.deep.c import f as h"),
            },
            dict.fromkeys(("utils/a.py", "utils/b.py", "nets/deep/c.py", "main.py"), "torch_equivalents"),
        ),
        # Nor is it one for the sake of a relative import that none of its scripts comes to.
        (
            {
                "__init__.py": "",
                "tools/__init__.py": "",
                "tools/a.py": NORM.format(imports=""),
                "callback/__init__.py": "",
                "callback/b.py": RELU.format(imports="from ..tools.a import f"),
                "main.py": RUN.format(imports="from tools.a import f"),
            },
            dict.fromkeys(("tools/a.py", "main.py"), "torch_equivalents"),
        ),
        # A file of a package that nothing imports, as the others of its folder.
        (
            {
                "nets/__init__.py": "",
                "nets/a.py": NORM.format(imports=""),
                "nets/spare.py": RELU.format(imports=""),
                "main.py": RUN.format(imports="from nets.a import f"),
            },
            dict.fromkeys(("nets/a.py", "nets/spare.py", "main.py"), "nets.torch_equivalents"),
        ),
        # It is one where its files are imported relatively across its folders.
        (
            {
                "pkg/__init__.py": "",
                "pkg/a.py": RELU.format(imports=""),
                "pkg/sub/__init__.py": "",
                "pkg/sub/b.py": NORM.format(imports="from ..a import g"),
            },
            {"pkg/a.py": ".torch_equivalents", "pkg/sub/b.py": "..torch_equivalents"},
        ),
        # Parts of a package that say what they do when they are run, where it is known how the package is imported.
        (
            {
                "pkg/__init__.py": "from . import a, b\n",
                "pkg/a.py": RUN.format(imports=""),
                "pkg/b.py": NORM.format(imports="from .c import g"),
                "pkg/c.py": RELU.format(imports="") + "\nif __name__ == '__main__':\n    print(g(1))\n",
                "main.py": RUN.format(imports="from pkg import a"),
            },
            {
                "pkg/a.py": ["pkg.torch_equivalents", "torch_equivalents"],
                "pkg/b.py": ".torch_equivalents",
                "pkg/c.py": ["pkg.torch_equivalents", "torch_equivalents"],
                "main.py": "pkg.torch_equivalents",
            },
        ),
        # So, too, where a function of theirs has relative imports, which nothing needs that runs the file.
        (
            {
                "pkg/__init__.py": "from .a import *\n",
                "pkg/a.py": RUN.format(imports="def late():\n    from .data import g\n    return g"),
                "pkg/data.py": RELU.format(imports=""),
                "main.py": RUN.format(imports="from pkg import late"),
            },
            {
                "pkg/a.py": ["pkg.torch_equivalents", "torch_equivalents"],
                "pkg/data.py": ".torch_equivalents",
            },
        ),
    ],
)
def test_files_import_as_their_package_does(files, expected, folder, target):
    texts = written(fixed(folder(files), target))
    for path, modules in expected.items():
        assert imported(texts[path]) == ([modules] if isinstance(modules, str) else modules)
        assert "class Torch" not in texts[path] and "def torch_" not in texts[path]
    (module,) = (text for path, text in texts.items() if path.endswith("torch_equivalents.py"))
    assert len(ast.parse(module).body) > 2
    assert all(file.after == file.before for file in fixed(list(texts), target).values())


@pytest.mark.parametrize(
    ("path", "more", "rest"),
    [
        ("nets/net.py", {"nets/__init__.py": ""}, "    from torch_equivalents import torch_cumprod\n"),
        ("nets/nets.py", {"nets/__init__.py": ""}, "    from torch_equivalents import torch_cumprod\n"),
        (
            "nets/parts/net.py",
            {"nets/__init__.py": "", "nets/parts/__init__.py": "", "nets/more.py": RELU.format(imports="")},
            "    import pathlib\n    import sys\n\n"
            "    sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))\n"
            "    from torch_equivalents import torch_cumprod\n",
        ),
    ],
)
def test_a_file_that_also_runs_by_itself_finds_its_helpers_then(path, more, rest, folder, target):
    module = path.removesuffix(".py").replace("/", ".")
    main = RUN.format(imports=f"import {module}" + ("\nimport nets.more" if "nets/more.py" in more else ""))
    texts = written(fixed(folder({**more, path: RUN.format(imports=""), "main.py": main}), target))
    first = "try:\n    from nets.torch_equivalents import torch_cumprod\n"
    assert f"{first}except ImportError:  # run by itself, in its folder\n{rest}" in texts[path]
    assert imported(texts["main.py"]) == ["nets.torch_equivalents"]
    assert all(file.after == file.before for file in fixed(list(texts), target).values())


@pytest.mark.parametrize(
    "imports",
    [
        "from nets.other import g",  # found where the search path has the folder above, and then the helpers are
        "from .other import g",
    ],
)
def test_a_script_that_needs_its_surroundings_imports_helpers_as_it_imports_these(imports, folder, target):
    files = {
        "nets/__init__.py": "",
        "nets/net.py": RUN.format(imports=imports),
        "nets/other.py": RELU.format(imports=""),
        "main.py": RUN.format(imports="import nets.net"),
    }
    texts = written(fixed(folder(files), target))
    assert len(imported(texts["nets/net.py"])) == 1


def test_a_folder_that_is_added_to_the_search_path_has_one_name_for_its_module(folder, target):
    files = {
        "m.py": NORM.format(
            imports='import sys\nsys.path.append("parts")\nfrom b import g\nfrom parts.c import h'
        ),
        "main.py": RUN.format(imports="from m import f"),
        "parts/b.py": RELU.format(imports=""),
        "parts/c.py": RELU.format(imports=""),
    }
    texts = written(fixed(folder(files), target))
    # One for all of them, so that all have the same classes; in parts/ the name would be that of main.py, too.
    assert {path: imported(texts[path]) for path in files} == {path: ["torch_equivalents"] for path in files}


@pytest.mark.parametrize("parts", ["my-parts", "class", "2d"])
def test_a_folder_that_no_import_can_name_is_not_imported_from(parts, folder, target):
    around = "import os, sys\nimport data\nsys.path.insert(1, os.path.join(sys.path[0], '..'))\nfrom choice import h"
    files = {
        "choice.py": LINEAR.format(imports=""),
        f"{parts}/tools.py": RELU.format(imports=around),
        f"{parts}/data.py": NORM.format(imports=""),
        f"{parts}/train.py": RUN.format(imports="import tools"),
    }
    texts = written(fixed(folder(files), target))
    found = {path: imported(texts[path]) for path in files if not path.endswith("train.py")}
    assert found == {path: ["torch_equivalents"] for path in found}


def test_modules_that_one_name_may_mean_have_the_same(folder, target):
    """The program adds a folder to the search path in a way that nobody can read: Python loads one of both modules."""
    path = "import sys, importlib\nfrom data.d import h\nsys.path.append(sys.argv[0] + '/parts')"
    files = {
        "main.py": NORM.format(imports=path) + "importlib.import_module('b')\n",
        "data/d.py": LINEAR.format(imports=""),
        "parts/b.py": RELU.format(imports="from c import k"),
        "parts/c.py": RELU.format(imports="").replace("def g", "def k"),
    }
    texts = written(fixed(folder(files), target))
    assert {path: imported(texts[path]) for path in files} == {path: ["torch_equivalents"] for path in files}
    first, second = (texts[f"{place}torch_equivalents.py"] for place in ("", "parts/"))
    made = [{node.name for node in ast.parse(text).body if hasattr(node, "name")} for text in (first, second)]
    assert made[0] == made[1] >= {"TorchBatchNorm2d", "TorchLinear", "TorchReLU"}


def test_modules_of_folders_in_each_other_have_the_same(folder, target):
    """Which of them a program finds first depends on the folder that it is started from."""
    files = {
        "nets/a.py": NORM.format(imports="from nets.b import g"),
        "nets/b.py": RELU.format(imports=""),
        "old/train.py": RUN.format(imports="from nets.a import f"),
        "train.py": RUN.format(imports="from nets.a import f"),
        "old/spare.py": RUN.format(imports="from rest import h"),
        "old/rest.py": LINEAR.format(imports=""),
    }
    texts = written(fixed(folder(files), target))
    assert {path: imported(texts[path]) for path in files} == {path: ["torch_equivalents"] for path in files}
    assert texts["torch_equivalents.py"] == texts["old/torch_equivalents.py"]


SCRIPT = """import os
import torch

os.environ["PLACE"] = "here"
{early}from pkg import f


def run(x):
    return torch.cumprod(x, 1)
"""


@pytest.mark.parametrize(
    ("early", "is_behind"), [("", True), ("y = torch.cumprod(torch.ones(2, 2), 1)\n", False)]
)
def test_a_script_imports_helpers_behind_what_it_does_for_their_package(early, is_behind, folder, target):
    files = {
        "pkg/__init__.py": "from .a import f\n",
        "pkg/a.py": NORM.format(imports=""),
        "main.py": SCRIPT.format(early=early),
    }
    text = written(fixed(folder(files), target))["main.py"]
    assert imported(text) == ["pkg.torch_equivalents"]
    assert (text.index("from pkg.torch_equivalents") > text.index("from pkg import f")) is is_behind


@pytest.mark.parametrize(
    "files",
    [
        # One file with helpers.
        {"a.py": NORM.format(imports=""), "b.py": "from a import f\n"},
        # Files in different folders of scripts cannot have a module in common.
        {"x/a.py": RUN.format(imports=""), "y/b.py": RUN.format(imports="")},
        # Nothing tells how these are imported.
        {"x/a.py": NORM.format(imports=""), "x/b.py": RELU.format(imports="")},
        # Run as scripts, and imported as parts of a package.
        {
            "pkg/__init__.py": "from . import a, b\n",
            "pkg/a.py": RUN.format(imports=""),
            "pkg/b.py": RUN.format(imports=""),
        },
        # The name is taken by something else.
        {
            "a.py": NORM.format(imports="from torch_equivalents import x"),
            "b.py": RELU.format(imports="from a import f"),
            "torch_equivalents.py": "x = 1\n",
        },
        {
            "a.py": NORM.format(imports=""),
            "b.py": RELU.format(imports="from a import f"),
            "torch_equivalents/__init__.py": "",
        },
    ],
)
def test_helpers_stay_in_the_file(files, folder, target):
    after = fixed(folder(files), target)
    assert after.keys() == files.keys()
    for path, text in files.items():
        assert ("torch.cumprod" in text) == ("\ndef torch_cumprod" in after[path].after.text)
        assert "import Torch" not in after[path].after.text


PAIR = {"a.py": NORM.format(imports=""), "b.py": RELU.format(imports="from a import f")}


def test_the_name_of_the_module_is_a_setting(folder, target):
    names = folder(PAIR)
    assert "ports.py" in fixed(names, target, Settings(helper_module="ports"))
    assert fixed(names, target, Settings(helper_module="")).keys() == PAIR.keys()


def test_a_file_that_is_converted_later_uses_the_module(folder, target):
    before = written(fixed(folder(PAIR), target))["torch_equivalents.py"]
    folder(
        {
            "c.py": LINEAR.format(imports="from a import f").replace(
                "layer=", "norm=torch.nn.BatchNorm2d, layer="
            )
        }
    )
    texts = written(fixed(["c.py"], target))
    assert "from torch_equivalents import TorchBatchNorm2d, TorchLinear\n" in texts["c.py"]
    after = texts[full_path("torch_equivalents.py")]
    assert after.startswith(before.rstrip())
    assert "class TorchLinear" in after.removeprefix(before.rstrip())


def test_a_file_that_is_converted_later_uses_the_module_of_a_package_beside_its_own(folder, target):
    files = {
        "train.py": "from models.net import f\nf(1)\n",
        "models/__init__.py": "",
        "models/net.py": NORM.format(imports="from utils.layers import g"),
        "utils/__init__.py": "",
        "utils/layers.py": RELU.format(imports="from .linear import h"),
        "utils/linear.py": LINEAR.format(imports=""),
        "utils/other.py": LINEAR.format(imports="from .linear import h"),
    }
    written(fixed(folder(files), target))
    assert Path("utils/torch_equivalents.py").exists()
    folder({"models/late.py": NORM.format(imports="from utils.layers import g\nfrom models.net import f")})
    text = written(fixed(["models/late.py"], target))["models/late.py"]
    assert imported(text) == ["utils.torch_equivalents"]
    assert "class Torch" not in text
    assert not Path("models/torch_equivalents.py").exists() and not Path("torch_equivalents.py").exists()


def test_a_name_that_is_imported_from_the_module_is_not_defined_again(folder, target):
    written(fixed(folder(PAIR), target))
    text = "import torch\nfrom torch_equivalents import TorchReLU\n\nacts = [TorchReLU, torch.nn.ReLU]\n"
    folder({"b.py": text})
    texts = written(fixed(["b.py"], target))
    assert texts["b.py"] == "from torch_equivalents import TorchReLU\n\nacts = [TorchReLU, TorchReLU]\n"


def test_what_the_user_changed_stays(folder, target):
    written(fixed(folder(PAIR), target))
    path = Path("torch_equivalents.py")
    changed = path.read_text().replace("class TorchReLU(", "class TorchReLU(  # ours\n    ")
    path.write_text(changed)
    folder({"c.py": RELU.format(imports="from a import f")})
    texts = written(fixed(["c.py"], target))
    assert imported(texts["c.py"]) == ["torch_equivalents"]
    assert path.read_text() == changed


def test_the_module_comes_before_the_files_that_import_it(folder, target):
    files = list(fixed(folder(PAIR), target).values())
    assert [file.path for file in files] == ["torch_equivalents.py", "a.py", "b.py"]
    assert [file.helpers for file in files] == ["", "torch_equivalents.py", "torch_equivalents.py"]
    assert [file.is_new for file in files] == [True, False, False]


def test_line_ends_stay(folder, target):
    texts = written(fixed(folder({name: text.replace("\n", "\r\n") for name, text in PAIR.items()}), target))
    assert imported(texts["a.py"]) == ["torch_equivalents"]
    assert texts["a.py"].count("\n") == texts["a.py"].count("\r\n")


def test_no_module_is_made_outside_of_a_folder(folder, target):
    files = {f"src/{name}": text for name, text in PAIR.items()}
    names = folder(files)
    assert fixed(names, target, within=full_path("elsewhere")).keys() == files.keys()
    assert "src/torch_equivalents.py" in fixed(names, target, within=full_path("src"))


@pytest.mark.parametrize("has_module", [True, False])
def test_one_document_of_an_editor_uses_a_module_that_is_there(has_module, folder, target):
    if has_module:
        written(fixed(folder(PAIR), target))
    text = RELU.format(imports="from a import f").replace("act=", "other=torch.nn.Linear, act=")
    folder({"c.py": text})
    project = Project(full_path("."))
    project.add(full_path("c.py"), text)
    project.add(full_path("a.py"), "f = 1\n")
    fix = fix_text(
        "c.py",
        SourceText("c.py", text),
        project,
        Engine(target),
        RuleFilter(Settings()),
        helper_module="torch_equivalents",
    )
    assert ("from torch_equivalents import TorchReLU\n" in fix.text) == has_module
    assert ("class TorchReLU" in fix.text) != has_module
    assert "class TorchLinear" in fix.text


@pytest.mark.parametrize(
    "before",
    [
        "import sys\nsys.path.append('../')\nfrom pkg.b import g",
        "import sys\nsys.path.insert(0, '..')\nsys.path[1:1] = ['lib']  # 😀\nfrom pkg.b import g",
        "import os, sys\n\nsys.path = [os.getcwd(), *sys.path]\n\nfrom pkg.b import g",
    ],
)
def test_helpers_are_imported_where_a_script_has_said_where_its_modules_are(before, folder, target):
    files = {
        "pkg/__init__.py": "",
        "pkg/a.py": NORM.format(imports=before),
        "pkg/b.py": RELU.format(imports="from pkg.c import h"),
        "pkg/c.py": LINEAR.format(imports=""),
    }
    text = written(fixed(folder(files), target))["pkg/a.py"]
    assert text.rindex("sys.path") < text.index("torch_equivalents import") < text.index("def f(")


def test_an_import_in_try_that_wants_a_helper_stands_below_its_import(folder, target):
    files = {
        "pkg/__init__.py": "",
        "pkg/a.py": "from torch import nn\nimport sys\nsys.path.append('../')\nfrom pkg.b import g\n\n\n"
        "class A(nn.Module):\n    kinds = [nn.NoSuchLayer]\n",
        "pkg/b.py": RELU.format(imports="from pkg.c import h"),
        "pkg/c.py": LINEAR.format(imports=""),
    }
    text = written(fixed(folder(files), target))["pkg/a.py"]
    assert "TorchMissing" in text
    assert text.index("sys.path") < text.index("import TorchMissing") < text.index("TorchMissing(")


@pytest.mark.parametrize(
    ("imports", "rest", "left"),
    [
        ("import mindspore\nimport mindspore.common.api\n", "x = mindspore.int32\n", "import mindspore\n"),
        ("import mindspore.common.api\n", "x = mindspore.int32\n", "import mindspore\n"),
        ("import mindspore\nimport mindspore.common.api\n", "x = 1\n", ""),
        (
            "import mindspore.common.api\n",
            "x = mindspore.common.api.jit\n",
            "import mindspore.common.api\n",
        ),
    ],
)
def test_imports_that_only_helpers_needed_go(imports, rest, left):
    helper = "".join(f"\n\n{helper_source(name)}" for name in needed_helpers("TorchEnableGrad"))
    text = f"{imports}{helper}\ny = TorchEnableGrad\n{rest}"
    after = with_helpers_imported(
        text, unchanged_helpers(text), HelperModule("torch_equivalents"), "import torch\n"
    )
    assert after == f"{left}from torch_equivalents import TorchEnableGrad\n\ny = TorchEnableGrad\n{rest}"
    kept = with_helpers_imported(text, unchanged_helpers(text), HelperModule("torch_equivalents"), imports)
    assert kept.startswith(imports)


@pytest.mark.parametrize(
    "text",
    [
        # What is a tensor by a method that MindSpore has as well goes into a helper.
        "import torch\n\n\ndef f(x, dim=1):\n    return torch.norm(x, 2, dim), torch.norm(x.t(), 2, dim)\n\n\n"
        "def g(query):\n    q = torch.transpose(query, 1, 2).contiguous()\n    return f(q.contiguous())\n",
        "import torch\n\n\ndef f(x: torch.Tensor, i):\n    return torch.scatter_reduce(x, 0, i, x, 'amax')\n",
    ],
)
def test_later_rounds_leave_helpers_as_they_are(text):
    found = converted(text, unsafe=True)
    assert helpers_of(found)
    assert unchanged_helpers(found) == helpers_of(found)
