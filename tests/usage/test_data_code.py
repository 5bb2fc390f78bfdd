"""What only prepares data is told from the network and its training, across files and from edit to edit."""

import pytest

from mindport.usage.places import Topic
from mindport.usage.project import Project

DATA = """import torch
from torch.utils.data import Dataset, DataLoader
from .helpers import load, shared, Flip

class Pictures(Dataset):
    def __init__(self, transform):
        self.transform = transform

    def __getitem__(self, index):
        return self.read(index)

    def read(self, index):
        return shared(load(index))

def collate(batch):
    return torch.stack(batch)

def loader():
    return DataLoader(Pictures(Flip()), collate_fn=collate)
"""
HELPERS = """import torch
from torch import nn

def load(index):
    return torch.zeros(3) + decode(index)

def decode(index):
    return index

def shared(x):
    return torch.relu(x)

class Flip:
    def __call__(self, x):
        return torch.flip(x, [0])

class Net(nn.Module):
    def forward(self, x):
        return shared(x)
"""
TRAIN = """from .data import loader
from .helpers import Net, Flip
from torchvision import transforms
pipeline = transforms.Compose([Flip()])
for batch in loader():
    Net()(batch)
"""
FILES = {"/p/__init__.py": "", "/p/data.py": DATA, "/p/helpers.py": HELPERS, "/p/train.py": TRAIN}


def project_of(files=FILES):
    project = Project("/p")
    for path, text in files.items():
        project.add(path, text)
    return project


@pytest.mark.parametrize(
    ("path", "scope", "is_data"),
    [
        ("/p/data.py", "Pictures.__getitem__", True),
        ("/p/data.py", "Pictures.read", True),
        ("/p/data.py", "collate", True),
        ("/p/data.py", "loader", False),
        ("/p/helpers.py", "load", True),
        ("/p/helpers.py", "load.inner", True),
        ("/p/helpers.py", "decode", True),
        ("/p/helpers.py", "Flip.__call__", True),
        ("/p/helpers.py", "shared", False),
        ("/p/helpers.py", "Net.forward", False),
        ("/p/train.py", "", False),
        ("/p/nowhere.py", "load", False),
    ],
)
def test_what_only_data_reach_is_data_code(path, scope, is_data):
    assert project_of().data_code().is_data(path, scope) is is_data


def test_a_function_that_the_network_calls_too_is_none():
    files = FILES | {"/p/helpers.py": HELPERS.replace("return shared(x)", "return shared(x) + load(1)")}
    data = project_of(files).data_code()
    assert not data.is_data("/p/helpers.py", "load") and not data.is_data("/p/helpers.py", "decode")


@pytest.mark.parametrize(
    ("made", "is_data"),
    [("Pictures(root, preproc(3))", True), ("Pictures(root, prepared(3))", False), ("preproc(3)", False)],
)
def test_what_a_data_set_is_made_with_by_place(made, is_data):
    helpers = "class preproc:\n    def __call__(self, x):\n        return x[:, :2]\nprepared = preproc\n"
    files = FILES | {"/p/helpers.py": HELPERS + helpers}
    files["/p/train.py"] = (
        TRAIN + f"from .helpers import preproc, prepared\nfrom .data import Pictures\nd = {made}\n"
    )
    assert project_of(files).data_code().is_data("/p/helpers.py", "preproc.__call__") is is_data


def test_without_datasets_there_is_no_data_code():
    data = project_of({"/p/helpers.py": HELPERS}).data_code()
    assert not any(data.is_data("/p/helpers.py", name) for name in ("load", "Flip", "Net.forward"))


def named(project, path):
    return [place.text for place in project.usage(path).places if place.topic is Topic.DATA]


def test_each_function_with_torch_is_one_place():
    project = project_of()
    assert named(project, "/p/data.py") == ["collate"]
    assert named(project, "/p/helpers.py") == ["load", "Flip.__call__"]


def test_shapes_in_data_code_do_not_matter():
    text = "import torch\nfrom torch.utils.data import Dataset\nclass A(Dataset):\n    def __getitem__(self, i):\n"
    project = project_of({"/p/a.py": text + "        return torch.nonzero(self.x[i])\n"})
    assert [place.topic for place in project.usage("/p/a.py").places] == [Topic.DATA]


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("/p/helpers.py", "return shared(x)", "return shared(load(1))"),
        ("/p/data.py", "(Dataset)", "(object)"),
        ("/p/data.py", "shared(load(index))", "shared(index)"),
        ("/p/train.py", "[Flip()]", "[]"),
        ("/p/train.py", "Net()(batch)", "Flip()(batch)"),
        ("/p/helpers.py", "def decode", "# 张\n\ndef decode"),
    ],
)
def test_an_edit_reaches_other_files(path, before, after):
    project = project_of()
    for one in FILES:
        project.usage(one)
    changed = FILES[path].replace(before, after)
    assert changed != FILES[path]
    project.add(path, changed)
    fresh = project_of(FILES | {path: changed})
    for one in FILES:
        assert project.usage(one) == fresh.usage(one)
    project.add(path, FILES[path])
    assert all(project.usage(one) == project_of().usage(one) for one in FILES)


def test_the_first_dataset_of_a_project_is_seen():
    project = project_of({"/p/helpers.py": HELPERS, "/p/data.py": "x = 1\n"})
    assert named(project, "/p/helpers.py") == []
    project.add("/p/data.py", DATA)
    assert named(project, "/p/helpers.py") == ["load"]
    project.add("/p/data.py", "x = 2\n")
    assert named(project, "/p/helpers.py") == []
