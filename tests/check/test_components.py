"""What belongs together: files that an import, in any of its spellings, or a common package joins."""

import pytest

from mindport.checking.analysis import read_sources
from mindport.checking.components import components
from mindport.config.settings import Settings
from mindport.source.text import SourceText

PACKAGE = {"p/__init__.py": "", "p/a.py": "", "p/sub/__init__.py": "", "p/sub/b.py": ""}

TOGETHER = [
    {"main.py": "import other\n", "other.py": ""},
    {"main.py": "import json, other\n", "other.py": ""},
    {"main.py": "import other as o; x = 1\n", "other.py": ""},
    {"main.py": "x = 1; import other\n", "other.py": ""},
    {"main.py": "try: import other\nexcept ImportError: pass\n", "other.py": ""},
    {"main.py": "def f():\n\tfrom other import (\n\t\ta,\n\t)\n", "other.py": ""},
    {"main.py": "from other import *\n", "other.py": ""},
    {"main.py": "import \\\n    other\n", "other.py": ""},
    {"main.py": "import json, \\\n    other\n", "other.py": ""},
    {"main.py": "import types\n", "types.py": ""},
    {"main.py": "from lib.deep import x\n", "lib/deep.py": ""},
    {"main.py": "from lib import (  # comment\n    deep,\n    x)\n", "lib/deep.py": ""},
    {"main.py": "from lib import x, \\\n    deep\n", "lib/deep.py": ""},
    {"main.py": "import lib.deep as d\r\n", "lib/deep.py": ""},
    {"q/a.py": "from . import b\n", "q/b.py": ""},
    {"q/a.py": "from .b import x\n", "q/b.py": ""},
    {"q/r/a.py": "from ..b import x\n", "q/b.py": ""},
    {"q/r/a.py": "from .. import (x,\n  b)\n", "q/b.py": ""},
    {"main.py": "import lib\n", "src/lib.py": ""},
    {"main.py": "import sys\nsys.path.append(input())\nimport other\n", "a/other.py": "", "b/other.py": ""},
    PACKAGE,
    {"p/__init__.py": "", "p/a.py": "", "main.py": "import p\n"},
    {
        "main.py": "from importlib import import_module\nx = import_module('models.' + input())\n",
        "models/a.py": "",
        "models/b.py": "",
    },
    {"main.py": "import importlib\nx = importlib.import_module('Net(small)')\n", "nets/Net(small).py": ""},
    {
        "main.py": "import importlib\nNAME = '😀', 'lib.deep.net'\nx = importlib.import_module(NAME[1])\n",
        "lib/deep/net.py": "",
    },
]

APART = [
    {"main.py": "x = 1\n", "other.py": ""},
    {"main.py": "# import other\n", "other.py": ""},
    {"main.py": "import another\n", "other.py": ""},
    {"main.py": "import torch\n", "torch.py": ""},
    {"q/a.py": "x = 1\n", "r/a.py": "y = 1\n"},
    {"main.py": "import other\n", "lib/other.py": ""},
    {"main.py": "x = 1\n", "config.yaml": "a: 1\n"},
    {"main.py": "import importlib\nx = importlib.import_module('torch.nn')\n", "models/a.py": ""},
    {"main.py": "x = 'models.a'\n", "models/a.py": ""},
]


def parts(folder, files):
    sources = read_sources(folder(files), Settings(), ".", {})
    return [[path for path, _ in part.files] for part in components(sources)]


@pytest.mark.parametrize("files", TOGETHER)
def test_imports_join(folder, files):
    assert parts(folder, files) == [list(files)]


@pytest.mark.parametrize("files", APART)
def test_other_files_stay_apart(folder, files):
    assert parts(folder, files) == [[name] for name in files]


def test_neighbours_are_read_and_go_with_the_part_that_needs_them(folder):
    folder({"lib.py": "import deep\n", "deep.py": "x = 1\n", "unused.py": ""})
    names = folder({"main.py": "import lib\n", "alone.py": ""})
    sources = read_sources(names, Settings(), ".", {})
    first, second = components(sources)
    assert sorted(path.rpartition("/")[2] for path in first.neighbours) == ["deep.py", "lib.py"]
    assert second.neighbours == {}
    assert isinstance(first.files[0][1], SourceText)
