"""Names at module level that are bound more than once: what they hold hangs on where they are read."""

from __future__ import annotations

import pytest

from mindport.usage.project import Project
from usage.marks import check

HEAD = "import numpy as np\nimport torch\n"
SOURCES = {
    "an array, then a tensor": (
        "a = np.ones(3)\na.repeat(2)\na = torch.ones(3)  #: torch.ones\na.repeat(2)  #: torch.Tensor.repeat"
    ),
    "a tensor, then an array": (
        "a = torch.ones(3)  #: torch.ones\na.repeat(2)  #: torch.Tensor.repeat\na = a.numpy()  #: torch.Tensor.numpy\n"
        "a.repeat(2)"
    ),
    "in a block": (
        "a = np.ones(3)\nif __name__ == '__main__':\n    a.repeat(2)\n    a = torch.ones(3)  #: torch.ones\n"
        "    a.repeat(2)  #: torch.Tensor.repeat"
    ),
    "on one path": "a = np.ones(3)\nif c:\n    a = torch.ones(3)  #: torch.ones\na.repeat(2)",
    "on all paths": (
        "a = np.ones(3)\nif c:\n    a = torch.ones(3)  #: torch.ones\nelse:\n    a = torch.zeros(3)  #: torch.zeros\n"
        "a.repeat(2)  #: torch.Tensor.repeat"
    ),
    "in a loop that may not run": (
        "a = np.ones(3)\nfor i in range(n):\n    a = torch.ones(3)  #: torch.ones\na.repeat(2)"
    ),
    "from round to round": (
        "a = np.ones(3)\nfor i in range(n):\n    a.repeat(2)\n    a = torch.ones(3)  #: torch.ones"
    ),
    "the same thing from round to round": (
        "a = 0\na = torch.ones(3)  #: torch.ones\nfor i in range(n):\n    a = a.repeat(2)  #: torch.Tensor.repeat"
    ),
    "from what it was": (
        "a = np.ones(3)\na = torch.from_numpy(a.repeat(2))  #: torch.from_numpy\na.repeat(2)  #: torch.Tensor.repeat"
    ),
    "in a function below both": (
        "a = np.ones(3)\na = torch.ones(3)  #: torch.ones\ndef f():\n    return a.repeat(2)  #: torch.Tensor.repeat"
    ),
    "in a method below both": (
        "a = np.ones(3)\na = torch.ones(3)  #: torch.ones\nclass C:\n    def f(self):\n"
        "        return a.repeat(2)  #: torch.Tensor.repeat"
    ),
    "in a function between them": (
        "a = np.ones(3)\ndef f():\n    return a.repeat(2)\na = torch.ones(3)  #: torch.ones"
    ),
    "in a lambda between them": "a = np.ones(3)\nf = lambda: a.repeat(2)\na = torch.ones(3)  #: torch.ones",
    "in a comprehension": (
        "a = np.ones(3)\nb = [a.repeat(i) for i in range(3)]\na = torch.ones(3)  #: torch.ones\n"
        "b = [a.repeat(i) for i in range(3)]  #: torch.Tensor.repeat"
    ),
    "set by a function, too": (
        "a = torch.ones(3)  #: torch.ones\ndef f():\n    global a\n    a = np.ones(3)\n"
        "a = torch.zeros(3)  #: torch.zeros\na.repeat(2)"
    ),
}


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES.keys())
def test_what_a_name_holds_where_it_is_read(source: str) -> None:
    check(HEAD + source)


def test_who_imports_a_name_gets_what_it_holds_at_the_end() -> None:
    data = "import numpy as np\nimport torch\na = np.ones(3)\nb = torch.ones(3)\na = torch.ones(3)\nb = np.ones(3)\n"
    check(
        "import torch\nfrom .data import a, b\na.repeat(2)  #: torch.Tensor.repeat\nb.repeat(2)\n", data=data
    )


EDITS = [
    "a = np.ones(3)\na = torch.ones(3)\ndef f():\n    return a.repeat(2)\na.repeat(2)\n",
    "a = np.ones(3)\ndef f():\n    return a.repeat(2)\na = torch.ones(3)\na.repeat(2)\n",
    "a = torch.ones(3)\na = np.ones(3)\ndef f():\n    return a.repeat(2)\na.repeat(2)\n",
    "a = np.ones(3)\nif c:\n    a = torch.ones(3)\ndef f():\n    return a.repeat(2)\na.repeat(2)\n",
    "a = np.ones(3)\ndef g():\n    global a\n    a = torch.ones(3)\ndef f():\n    return a.repeat(2)\na.repeat(2)\n",
    "a = torch.ones(3)\ndef f():\n    return a.repeat(2)\na.repeat(2)\n",
    "def f():\n    return a.repeat(2)\na.repeat(2)\n",
]


def test_edits_equal_a_fresh_project() -> None:
    user = "import torch\nfrom m import a\na.repeat(2)\n"
    project = Project("")
    project.add("user.py", user)
    for first in EDITS:
        for second in EDITS:
            for text in (first, second):
                project.add("m.py", HEAD + text)
                fresh = Project("")
                fresh.add("user.py", user)
                fresh.add("m.py", HEAD + text)
                for path in ("m.py", "user.py"):
                    assert project.usage(path) == fresh.usage(path), (path, first, second)
