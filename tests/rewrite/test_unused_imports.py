"""Imports of torch that nothing refers to go from every block, which still has something in it; what only asks whether
torch is there stays."""

from __future__ import annotations

import ast

import pytest

from mindport.mapping.helper_source import helper_source
from mindport.rewrite.apply import apply_edits
from mindport.rewrite.unused_imports import unused_torch_imports, without_unused_torch
from mindport.source.lines import LineIndex

GONE = [
    # in a function, a class, a condition
    ("def f(x):\n    import torch\n    return x\n", "def f(x):\n    return x\n"),
    ("def f(x):\n    import torch\n", "def f(x):\n    pass\n"),
    ("def f(x):\n    import torch\n    from torch import nn\n", "def f(x):\n    pass\n"),
    ("def f(x):\n    from torch import nn, optim\n    return nn\n",
     "def f(x):\n    from torch import nn\n    return nn\n"),
    ("class A:\n    import torch as t  # 😀\n    w = 1\n", "class A:\n    w = 1\n"),
    ("if x:\n    import os\n    import torch\n", "if x:\n    import os\n"),
    ("if x:\n    y = 1\nelse:\n    import torch\n", "if x:\n    y = 1\nelse:\n    pass\n"),
    ("for x in y:\n    import torch.nn as nn, os\n    os.f()\n", "for x in y:\n    import os\n    os.f()\n"),
    # a variable of a function is another thing
    ("import torch.utils.data as data\ndef f(data):\n    return [data for x in data]\n",
     "def f(data):\n    return [data for x in data]\n"),
    ("import torch\ndef f():\n    import torch\n    return torch\n",
     "def f():\n    import torch\n    return torch\n"),
    ("try:\n    import torch\nexcept ImportError:\n    torch = None\n", ""),
    ("try:\n    from torch.hub import a\nexcept ImportError:\n    from torch.utils.model_zoo import b as a\n", ""),
    ("import os\n\nimport torch\n\n\nimport torch.nn\n\nos.x\n", "import os\n\nos.x\n"),
    # another import takes the name before anything reads it
    ("import torchvision.datasets as datasets\nimport os\nimport pose.datasets as datasets\ndatasets.f()\n",
     "import os\nimport pose.datasets as datasets\ndatasets.f()\n"),
    # a word in a text, too
    ("import torch.utils.data as data\ndef f(root='data'):\n    return {'data': root}\n",
     "def f(root='data'):\n    return {'data': root}\n"),
    # names of what is in a file of torch's, which a helper has in its texts
    (f"import os\nimport torch\n\n\n{helper_source('torch_read_file')}",
     f"import os\n\n\n{helper_source('torch_read_file')}"),
    # an option of a command is no expression
    ("import torch.optim as optim\ndef f(parser):\n    parser.add_argument('--optim')\n",
     "def f(parser):\n    parser.add_argument('--optim')\n"),
    # a `try` goes as a whole where it is of no use, and only there
    ("try:\n    import torch\nexcept ImportError:\n    raise\nx = 1\n", "x = 1\n"),
    ("try:\n    import os\n    import torch\nexcept ImportError as e:\n    print(e)\n",
     "try:\n    import os\nexcept ImportError as e:\n    print(e)\n"),
    ("try:\n    import torch\nfinally:\n    f()\n", "try:\n    pass\nfinally:\n    f()\n"),
    ("def f():\n    try:\n        import torch\n    except ImportError:\n        raise\n",
     "def f():\n    try:\n        pass\n    except ImportError:\n        raise\n"),
    ("try:\n    import torch\nexcept ImportError:\n    flag = 1\nprint(flag)\n",
     "try:\n    pass\nexcept ImportError:\n    flag = 1\nprint(flag)\n"),
    ("try:\n    import torch\nexcept ImportError:\n    import numpy as np\nprint(np)\n",
     "try:\n    pass\nexcept ImportError:\n    import numpy as np\nprint(np)\n"),
    ("try:\n    import torch\nexcept ImportError:\n    def f(): ...\nf()\n",
     "try:\n    pass\nexcept ImportError:\n    def f(): ...\nf()\n"),
    # beside others on its line
    ("if x: import torch\n", "if x: pass\n"),
    ("def f():\n    import torch; import os\n", "def f():\n    import os\n"),
    ("import torch; import os; from torch import nn; x = '🚀' # 移\n", "import os; x = '🚀' # 移\n"),
    ("import os; import torch; import torch.nn as nn\nx = os\n", "import os\nx = os\n"),
    ("import torch; import torch.nn as nn\nx = 1\n", "x = 1\n"),
    ("def f():\n    x = [1,\n    2]; import torch\n", "def f():\n    x = [1,\n    2]\n"),
    ("if 1:\n    try:\n        import torch\n    except E:\n        import torch as t\nx = '中文'\n",
     "if 1:\n    try:\n        pass\n    except E:\n        pass\nx = '中文'\n"),
    ("from torch.nn import *\nfrom mindspore import nn\nx = nn.Dense(int(3), 4)  # 层 🙂\n",
     "from mindspore import nn\nx = nn.Dense(int(3), 4)  # 层 🙂\n"),
    ("from torchvision.transforms import *\n\n\nclass Crop(object):\n    x = 1\n", "class Crop(object):\n    x = 1\n"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), GONE)
def test_what_nothing_refers_to_goes(text, expected):
    found = without_unused_torch(text, "net.py", ())
    assert found == expected
    assert without_unused_torch(found, "net.py", ()) == found
    ast.parse(found)


STAYS = [
    "import torchvision.datasets as sets\nsets.f()\nimport pose.datasets as sets\n",
    "import torchvision.datasets as sets\ndef f():\n    return sets\nimport pose.datasets as sets\n",
    "import pose.datasets as sets\nimport torchvision.datasets as sets\nsets.f()\n",
    "import torchvision.datasets as sets\nif x:\n    import pose.datasets as sets\nsets.f()\n",
    "def f():\n    import torch\n    return torch\n",
    "def f():\n    from torch import *\n",
    "from torch.nn import *\nx = Linear(3, 4)\n",
    "from torch import *\n\n\ndef f(x: 'Tensor'):\n    return max(x)\n",
    "from torchvision.transforms import *\n__all__ = ['Compose']\n",
    # whether torch is there
    "try:\n    import torch\n    has_torch = True\nexcept ImportError:\n    has_torch = False\n",
    # another name takes its place
    "try:\n    import torch\nexcept ImportError:\n    torch = None\nprint(torch)\n",
    "def f():\n    global torch\n    torch = 1\nimport torch\ndef g():\n    return torch\n",
    "import torch\nclass A:\n    torch = torch\n",
    "import torch\ndef f(x: 'torch.Tensor'): ...\n",
    "from torch import Tensor\ndef f(x: list['Tensor']): ...\n",
    "from torch import Tensor\ndef f(x) -> 'Tensor': ...\n",
    "from torch import Tensor\nx: 'Tensor'\n",
    "from torch import Tensor\n__all__ = ['f', 'Tensor']\n",
    "from torch import Tensor\n__all__ += ('Tensor',)\n",
    "def f():\n    import torchmetrics\n    from .torch import nn\n    from notorch import nn as n\n",
]


@pytest.mark.parametrize("text", STAYS)
def test_what_is_of_use_stays(text):
    assert without_unused_torch(text, "net.py", ()) == text


def test_a_name_that_other_files_import_stays_in_the_module_only():
    text = "import torch\ndef f():\n    import torch\n    return 1\n"
    assert without_unused_torch(text, "net.py", {"torch"}) == "import torch\ndef f():\n    return 1\n"


def test_everything_stays_where_another_file_takes_a_part_of_it():
    text = "from torch.nn import *\nx = 1\n"
    assert without_unused_torch(text, "net.py", {"Linear", "x"}) == text
    assert without_unused_torch(text, "net.py", {"x", "print"}) == "x = 1\n"


def test_a_flag_stays_true_where_the_code_behind_it_was_converted():
    before = "try:\n    import torch\n    has = True\nexcept ImportError:\n    has = False\ny = has and torch.relu(x)\n"
    after = before.replace("torch.relu", "ops.relu")
    edits = unused_torch_imports(LineIndex(before), ast.parse(before), after)
    assert apply_edits(before, edits).startswith("try:\n    has = True\nexcept")


def test_names_that_a_star_behind_gives() -> None:
    text = "from torch.nn import *\nfrom layers import *\nx = Linear(3)\n"
    assert without_unused_torch(text, "a.py", ["Linear"], frozenset({"Linear"})) == text.partition("\n")[2]
    assert without_unused_torch(text, "a.py", ["Linear"]) == text
    used = text + "y = ReLU()\n"
    assert without_unused_torch(used, "a.py", [], frozenset({"Linear"})) == used
