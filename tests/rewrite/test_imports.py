"""Imports: added where they belong, joined, reused, never hiding another name; those of torch removed when we
made them unused."""

from __future__ import annotations

import pytest
from test_rewrites import fixed

from mindport.mapping.helper_source import helper_source
from mindport.rewrite.names import NameScope
from mindport.rewrite.pieces import HelperName
from mindport.usage.project import Project

ADDED = [
    # a plain file
    ("import torch\ny = torch.relu(x)\nz = torch.empty(3)\n",
     "import torch\nfrom mindspore import ops\ny = ops.relu(x)\nz = torch.empty(3)\n"),
    # below the docstring and __future__
    ('"""Doc."""\nfrom __future__ import annotations\n\nimport torch\n\nz = torch.empty(torch.relu(x))\n',
     '"""Doc."""\nfrom __future__ import annotations\n\nimport torch\nfrom mindspore import ops\n\n'
     "z = torch.empty(ops.relu(x))\n"),
    # where torch is imported, with what comes later of MindSpore
    ("import os\nimport torch\nimport sys\n\nz = torch.empty(torch.relu(x))\nimport late\n",
     "import os\nimport torch\nfrom mindspore import ops\nimport sys\n\nz = torch.empty(ops.relu(x))\nimport late\n"),
    ("import torch\nfrom mindspore import nn\nimport sys\nz = torch.empty(torch.relu(nn))\n",
     "import torch\nfrom mindspore import nn, ops\nimport sys\nz = torch.empty(ops.relu(nn))\n"),
    ("import torch\nimport mindspore\nimport sys\nz = torch.empty(torch.relu(mindspore))\n",
     "import torch\nimport mindspore\nfrom mindspore import ops\nimport sys\nz = torch.empty(ops.relu(mindspore))\n"),
    # below the whole block, where a star below it may have the name
    ("import torch\nfrom os import *\nimport sys\nz = torch.empty(torch.relu(x))\n",
     "import torch\nfrom os import *\nimport sys\nfrom mindspore import ops\nz = torch.empty(ops.relu(x))\n"),
    # several lines of one import
    ("from torch import (\n    nn,\n)\nimport torch\nz = torch.empty(torch.relu(nn.Bilinear(1, 2, 3)))\n",
     "from torch import (\n    nn,\n)\nimport torch\nfrom mindspore import ops\n"
     "z = torch.empty(ops.relu(nn.Bilinear(1, 2, 3)))\n"),
    # joined to an existing one
    ("import torch\nfrom mindspore import nn\nz = torch.empty(torch.relu(x), nn)\n",
     "import torch\nfrom mindspore import nn, ops\nz = torch.empty(ops.relu(x), nn)\n"),
    ("import torch\nfrom mindspore import (\n    nn,  # cells\n)\nz = torch.empty(torch.relu(x), nn)\n",
     "import torch\nfrom mindspore import (\n    nn, ops,  # cells\n)\nz = torch.empty(ops.relu(x), nn)\n"),
    # a binding that is there is used
    ("import torch\nfrom mindspore import ops as P\nz = torch.empty(torch.relu(x))\n",
     "import torch\nfrom mindspore import ops as P\nz = torch.empty(P.relu(x))\n"),
    ("import torch\nimport mindspore as ms\nz = torch.empty(torch.relu(x))\n",
     "import torch\nimport mindspore as ms\nz = torch.empty(ms.ops.relu(x))\n"),
    ("import torch\nimport mindspore.ops as ops\nz = torch.empty(torch.relu(x))\n",
     "import torch\nimport mindspore.ops as ops\nz = torch.empty(ops.relu(x))\n"),
    ("import torch\nfrom mindspore.ops import relu\nz = torch.empty(torch.relu(x))\n",
     "import torch\nfrom mindspore.ops import relu\nz = torch.empty(relu(x))\n"),
    ("import torch\nimport mindspore\nz = torch.empty(1, dtype=torch.float32)\n",
     "import torch\nimport mindspore\nz = torch.empty(1, dtype=mindspore.float32)\n"),
    # a name that means something else is not taken
    ("import torch\nfrom my import ops\nz = torch.empty(torch.relu(x), ops)\n",
     "import torch\nimport mindspore\nfrom my import ops\nz = torch.empty(mindspore.ops.relu(x), ops)\n"),
    ("import torch\ndef f(ops):\n    return torch.empty(torch.relu(x))\n",
     "import torch\nimport mindspore\ndef f(ops):\n    return torch.empty(mindspore.ops.relu(x))\n"),
    ("from torch import nn\nm = nn.Bilinear(nn.Linear(3, 4))\n",
     "from torch import nn\nimport mindspore\nm = nn.Bilinear(mindspore.nn.Dense(3, 4))\n"),
    ("import torch\nm = torch.empty(torch.nn.Linear(3, 4))\n",
     "import torch\nfrom mindspore import nn\nm = torch.empty(nn.Dense(3, 4))\n"),
    # other packages
    ("import torch\nimport numpy as np\nn = torch.empty(torch.numel(x))\n",
     "import torch\nimport numpy as np\nn = torch.empty(np.prod(x.shape))\n"),
    ("import torch\nimport numpy\nn = torch.empty(torch.numel(x))\n",
     "import torch\nimport numpy\nn = torch.empty(numpy.prod(x.shape))\n"),
    ("import torch\nnp = 3\nn = torch.empty(torch.numel(x), np)\n",
     "import torch\nnp = 3\nn = torch.empty(torch.numel(x), np)\n"),
    # only indented imports of torch: ours go to the top
    ("try:\n    import torch\nexcept ImportError:\n    torch = None\n",
     "try:\n    import torch\nexcept ImportError:\n    torch = None\n"),
    ("#!/usr/bin/env python\n# coding: utf-8\nx = 1\nimport torch\nz = torch.empty(torch.relu(x))\n",
     "#!/usr/bin/env python\n# coding: utf-8\nx = 1\nimport torch\nfrom mindspore import ops\n"
     "z = torch.empty(ops.relu(x))\n"),
    # a module that `import mindspore` does not load
    ("import torch\ny = torch.det(x)\n",
     "import mindspore.scipy\ny = mindspore.scipy.linalg.det(x)\n"),
    ("import torch\nimport mindspore\ny = torch.det(x)\n",
     "import mindspore\nimport mindspore.scipy\ny = mindspore.scipy.linalg.det(x)\n"),
    ("import torch\nimport mindspore as ms\ny = torch.det(x)\n",
     "import mindspore as ms\nimport mindspore.scipy\ny = ms.scipy.linalg.det(x)\n"),
    ("import torch\nimport mindspore.scipy.linalg\ny = torch.det(x)\n",
     "import mindspore.scipy.linalg\ny = mindspore.scipy.linalg.det(x)\n"),
    ("import torch\nfrom mindspore.scipy import linalg\ny = torch.det(x)\n",
     "from mindspore.scipy import linalg\ny = linalg.det(x)\n"),
    ("import torch\nimport mindspore as ms\nmindspore = 1\ny = torch.det(x)\n",
     "import torch\nimport mindspore as ms\nmindspore = 1\ny = torch.det(x)\n"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "expected"), ADDED)
def test_added(source, expected):
    assert fixed(source) == expected
    assert fixed(expected) == expected


REMOVED = [
    ("import torch\ny = torch.relu(x)\n", "from mindspore import ops\ny = ops.relu(x)\n"),
    ("import os\nimport torch  # the old one\nimport sys\ny = torch.relu(x)\n",
     "import os\nfrom mindspore import ops\nimport sys\ny = ops.relu(x)\n"),
    # the blank lines on both of its sides are those of one
    ("import os\n\nimport torch\n\n\ny = 1; torch.relu(x)\n",
     "import os\n\nfrom mindspore import ops\n\n\ny = 1; ops.relu(x)\n"),
    ("import os\n\nimport torch\nimport torch as t\n\nimport sys\ny = torch.relu(t.relu(x))\n",
     "import os\n\nfrom mindspore import ops\n\nimport sys\ny = ops.relu(ops.relu(x))\n"),
    ("import torch\n\nimport sys\n\nimport torch as t\n\n\ny = t.relu(sys)\n",
     "import torch\nfrom mindspore import ops\n\nimport sys\n\n\ny = ops.relu(sys)\n"),
    ("from torch import relu, empty\ny = empty(relu(x))\n", "from torch import relu, empty\ny = empty(relu(x))\n"),
    ("import os, torch\ny = torch.relu(os)\n", "import os\nfrom mindspore import ops\ny = ops.relu(os)\n"),
    ("import torch, os\ny = torch.relu(os)\n", "import os\nfrom mindspore import ops\ny = ops.relu(os)\n"),
    ("import torch as t\nfrom torch import nn, optim\ny = t.relu(x)\nm = nn.Linear(3, 4)\noptim.Foo()\n",
     "from torch import optim\nimport mindspore\nfrom mindspore import ops\n"
     "y = ops.relu(x)\nm = mindspore.nn.Dense(3, 4)\noptim.Foo()\n"),
    ("from torch import (\n    nn,\n    optim,\n)\nm = nn.Linear(3, 4)\noptim.Foo()\n",
     "from torch import (\n    optim,\n)\nimport mindspore\nm = mindspore.nn.Dense(3, 4)\noptim.Foo()\n"),
    ("import torch; import os\ny = torch.relu(x)\n", "from mindspore import ops\nimport os\ny = ops.relu(x)\n"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "expected"), REMOVED)
def test_removed(source, expected):
    assert fixed(source) == expected


KEPT = [
    "import torch\n__all__ = ['torch']\ny = torch.relu(x)\n",
    "import torch\ny = torch.relu(x)\ndef f(a: 'torch.Tensor'): ...\n",
]


@pytest.mark.parametrize("source", KEPT)
def test_still_there(source):
    assert "import torch" in fixed(source)


def test_a_package_keeps_what_it_offers():
    # What nothing in the package's face uses is there for others.
    source = "import torch\nfrom torch.nn import Linear\ny = torch.relu(x)\n"
    changed = fixed(source, path="pkg/__init__.py")
    assert "from torch.nn import Linear\n" in changed
    assert "import torch\n" not in changed


def test_nothing_to_do_changes_nothing():
    source = "import torch\nimport os\n"
    assert fixed(source) == source


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import torch\ny = torch.relu(torch.empty(1))",
         "import torch\nfrom mindspore import ops\ny = ops.relu(torch.empty(1))"),
        ("import torch; y = torch.relu(torch.empty(1))",
         "from mindspore import ops\nimport torch; y = ops.relu(torch.empty(1))"),
    ],
)  # fmt: skip
def test_a_file_without_a_last_line_end(source, expected):
    assert fixed(source) == expected


@pytest.mark.parametrize(
    ("line", "is_above"),
    [
        ("import functools", True),
        ("import functools, os.path", True),
        ("functools = 3; return functools", True),
        ("return [functools for functools in x]", True),
        ("import cloudtools as functools", True),
        ("return functools.wraps(x)", True),  # which fails without the import
        ("global functools; functools = 3", False),
    ],
)
def test_a_helper_imports_what_functions_use_otherwise(line, is_above):
    source = f"import torch\ndef f(x):\n    {line}\n"
    project = Project("/p")
    project.add("/p/net.py", source)
    scope = NameScope(source, project.usage("/p/net.py"))
    statements = tuple(f"import {name}" for name in ("functools", "pathlib", "mindspore"))
    assert scope.resolve_helper(HelperName("torch_save")) == statements[not is_above :]
    definition = scope.definition("torch_save")
    assert (definition == helper_source("torch_save")) is is_above
    assert ("\n    import functools\n" in definition) is not is_above


@pytest.mark.parametrize(
    ("line", "has_helper"),
    [
        ("import dataclasses", True),
        ("from other import dataclasses", False),  # its decorator is read before any function is
        ("dataclasses = 3", False),
        ("def f(dataclasses): return dataclasses", True),
    ],
)
def test_a_helper_is_left_out_where_its_class_needs_what_a_file_calls_otherwise(line, has_helper):
    source = f"import torch\n{line}\n"
    project = Project("/p")
    project.add("/p/net.py", source)
    scope = NameScope(source, project.usage("/p/net.py"))
    assert (scope.resolve_helper(HelperName("TorchWeights")) is not None) is has_helper


@pytest.mark.parametrize("line", ["import dill as pickle", "from skimage import io", "import io, pickle"])
def test_files_are_written_whatever_a_project_calls_pickle(line):
    source = f"import torch\n{line}\ntorch.save(1, 'saved')\n"
    project = Project("/p")
    project.add("/p/net.py", source)
    scope = NameScope(source, project.usage("/p/net.py"))
    assert scope.resolve_helper(HelperName("torch_save"))
    assert scope.resolve_helper(HelperName("torch_load"))


@pytest.mark.parametrize("line", ["from random import random", "from numpy import random", "random = 3"])
def test_data_are_shuffled_and_cut_whatever_a_file_calls_random(line):
    source = f"import torch\n{line}  # 随机 🙂\nloader = torch.utils.data.DataLoader([1])\n"
    project = Project("/p")
    project.add("/p/net.py", source)
    scope = NameScope(source, project.usage("/p/net.py"))
    for name in (
        "TorchDataLoader",
        "torch_random",
        "TorchRandomCrop",
        "TorchColorJitter",
        "TorchRandomErasing",
    ):
        assert scope.resolve_helper(HelperName(name)) is not None, name


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("from mindspore import ops", "ops"),
        ("ops = 3", "mindspore.ops"),
        ("from mymodels import ops", "mindspore.ops"),
    ],
)
def test_a_name_that_a_function_imports_means_the_same_everywhere(line, name):
    source = f"import torch\ndef f(x):\n    {line}\n    return ops\nz = torch.empty(torch.relu(x))\n"
    assert f"torch.empty({name}.relu(x))" in fixed(source)


@pytest.mark.parametrize(
    ("line", "has_helper"),
    [
        ("def torch_save(data, path):\n    torch.save(data, path)  # 存 🙂", False),
        ("class torch_save:\n    pass", False),
        (f"import functools\nimport pathlib\n\nimport mindspore\n\n\n{helper_source('torch_save')}", True),
        ("", True),
    ],
)
def test_a_function_of_the_name_of_a_helper_is_not_the_helper(line, has_helper):
    source = f"import torch\n\n\n{line}\n\ntorch.save(1, 'saved')\n"
    project = Project("/p")
    project.add("/p/net.py", source)
    scope = NameScope(source, project.usage("/p/net.py"))
    assert (scope.resolve_helper(HelperName("torch_save")) is not None) is has_helper
