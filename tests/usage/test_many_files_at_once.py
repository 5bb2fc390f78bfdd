"""Files that come together are known as they are when they come one by one."""

from __future__ import annotations

import itertools

from mindport.usage.project import Project

FILES = {
    "/p/a.py": "import torch\nfrom b import make\n\nx = make().abs()\n",
    "/p/b.py": "import torch\nfrom c import size\n\n\ndef make():\n    return torch.ones(size)\n",
    "/p/c.py": "size = 3\n",
}


def test_at_once_and_one_by_one() -> None:
    wanted = Project("/p")
    for path, text in FILES.items():
        wanted.add(path, text)
    usages = {path: wanted.usage(path) for path in FILES}
    for order in itertools.permutations(FILES):
        project = Project("/p")
        project.add("/p/a.py", "x = 1\n")
        project.usage("/p/a.py")
        project.add_all({path: FILES[path] for path in order})
        assert {path: project.usage(path) for path in FILES} == usages


def test_nothing_new_is_no_change() -> None:
    project = Project("/p")
    project.add_all(FILES)
    before = project.revision
    project.add_all(FILES)
    project.add_all({})
    assert project.revision == before
