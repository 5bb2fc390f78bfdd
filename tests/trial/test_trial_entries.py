"""Which files of a port are imported and which are run."""

import pytest

from mindport.prove.trial_entries import dotted_name, names_neighbour, port_files, root_of_folder

GUARD = 'if __name__ == "__main__":\n    main()\n'


@pytest.mark.parametrize(
    "text",
    [
        "import argparse\nargs = argparse.ArgumentParser().parse_args()\n",
        "parser = make()\nargs, rest = parser.parse_known_args()\n",
        "def main():\n    pass\nmain()\n",
        "import fire\ndef main():\n    pass\nfire.Fire(main)\n",
        "import t\ntrainer = t.Trainer()\ntrainer.fit()\n",
        "for epoch in range(3):\n    step = 1\n    print(step)\n",
        "for data in loader:\n    with scope():\n        optimizer.step()\n",
        "while True:\n    net.train()\n",
        "try:\n    import x\nexcept ImportError:\n    x = None\nelse:\n    x.run()\n",
        "import os\nif os.name == 'posix':\n    def train():\n        pass\n    app.launch()\n",
        "with open('a') as f:\n    model.fit(f)\n",
    ],
)
def test_a_script_without_a_main_block_is_only_run(text):
    files = port_files({"train.py": text})
    assert files.modules == () and files.entries == ("train.py",)


@pytest.mark.parametrize(
    "text",
    [
        "",
        '"""What it is."""\n',
        "import logging\nlogging.basicConfig()\nlogger = logging.getLogger()\n",
        "import sys\nsys.path.append('..')\nsys.path.insert(0, '.')\n",
        "import mindspore\nmindspore.set_seed(1)\n",
        "names = []\nfor name in ('a', 'b'):\n    names.append(name)\n",
        "for name in ('a', 'b'):\n    setattr(table, name, 1)\n",
        "import atexit\ndef end():\n    pass\natexit.register(end)\n",
        "def main():\n    parser.parse_args()\n    for x in y:\n        net.train()\n",
        "class A:\n    def run(self):\n        self.train()\n",
        "value = make()\nother = value.fit\n",
        "# main()\n'main()'\n",
        "def f(:\n",
        "x = '\x00'\n",
    ],
)
def test_what_only_defines_is_only_imported(text):
    files = port_files({"net.py": text})
    assert files.modules == ("net.py",) and files.entries == ()


@pytest.mark.parametrize(
    "test",
    ['__name__ == "__main__"', "'__main__' == __name__", '__name__ == "__main__" and not DEBUG'],
)
def test_a_file_with_a_main_block_is_both(test):
    files = port_files({"net.py": f"import x\nif {test}:\n    x.run()\n"})
    assert files.modules == ("net.py",) and files.entries == ("net.py",)


@pytest.mark.parametrize("test", ['__name__ == "net"', '__file__ == "__main__"', "True"])
def test_another_condition_is_no_main_block(test):
    assert port_files({"net.py": f"if {test}:\n    x = 1\n"}).entries == ()


@pytest.mark.parametrize(
    "other",
    ["import options\n", "from options import args\n", "def f():\n    from options import args\n"],
)
def test_what_others_import_is_a_module(other):
    script = "import argparse\nargs = argparse.ArgumentParser().parse_args()\n"
    files = port_files({"options.py": script, "net.py": other})
    assert files.modules == ("options.py", "net.py") and files.entries == ()


def test_imports_are_found_from_any_folder():
    script = "def main():\n    pass\nmain()\n"
    texts = {"src/pack/a.py": script, "src/pack/b.py": "from . import a\n", "src/c.py": script}
    assert port_files(texts).entries == ("src/c.py",)
    assert port_files({**texts, "d.py": "import pack.a, c\n"}).entries == ()


def test_a_name_that_only_begins_alike_is_no_import():
    script = "def main():\n    pass\nmain()\n"
    assert port_files({"train.py": script, "b.py": "import training, my.train_it\n"}).entries == ("train.py",)


def test_installation_is_no_part_of_the_program():
    files = port_files({"setup.py": "from setuptools import setup\nsetup()\n", "tests/conftest.py": GUARD})
    assert files.modules == files.entries == ()


@pytest.mark.parametrize(
    ("file", "name"),
    [("a.py", "a"), ("a/b.py", "a.b"), ("a/__init__.py", "a"), ("__init__.py", "__init__")],
)
def test_the_name_of_a_module(file, name):
    assert dotted_name(file) == name


SETUP = "setup(entry_points={'console_scripts': ['bert = nets.cli:train', 'x=nets.main:run', 'y = gone:run', 'z=1']})"


def test_what_an_installation_gives_commands_to_is_run():
    texts = {
        "setup.py": SETUP,
        "nets/cli.py": "def train():\n    pass\n",
        "nets/main.py": f"import x\n{GUARD}",
    }
    files = port_files(texts)
    assert files.commands == {"nets/cli.py": "train"}
    assert files.entries == ("nets/main.py",) and "nets/cli.py" in files.modules


@pytest.mark.parametrize(
    ("other", "text", "root"),
    [
        ("main.py", "from fx import replace\n", "a"),
        ("main.py", "import fx.replace as r  # 中文 😀\n", "a"),
        ("a/main.py", "from a.fx import replace\n", ""),
        ("b/main.py", "from ..a.fx.replace import f\n", ""),
        ("main.py", "module = importlib.import_module('fx.' + name)\n", ""),
        ("main.py", "import torch.fx\nfrom torch.fx import symbolic_trace\n", None),
        ("main.py", "fx = make()\nfx.run()\n", None),
        ("main.py", "from fxs import replace\n", None),
        ("a/fx/main.py", "import replace\n", None),
    ],
)
def test_a_folder_is_imported_by_its_name(other, text, root):
    assert root_of_folder("a/fx/replace.py", {other: text, "a/fx/replace.py": ""}) == root


def test_a_module_beside_comes_before_a_folder_of_its_name():
    texts = {"rnn/main.py": "import rnn\n", "rnn/rnn.py": ""}
    assert root_of_folder("rnn/rnn.py", texts) is None


@pytest.mark.parametrize(
    ("text", "texts", "is_named"),
    [
        ("import utils\n", ["pkg/utils.py"], True),
        ("from vgg import Vgg16\n", ["pkg/vgg.py"], True),
        ("import utils\n", ["pkg/utils.py", "utils/__init__.py"], False),  # the one of the port is meant
        ("import utils\n", ["utils.py"], False),
        ("from . import utils\n", ["pkg/utils.py"], False),
        ("from pkg import utils\n", ["pkg/utils.py"], False),
    ],
)
def test_a_file_names_its_neighbour_as_a_script_does(text, texts, is_named):
    assert names_neighbour("pkg/main.py", {"pkg/main.py": text, **dict.fromkeys(texts, "")}) is is_named


@pytest.mark.parametrize(
    ("text", "is_named"),
    [
        ("from .vgg import *  # 网络 🚀\n", False),
        ("from . import vgg\n", False),
        ("from nets.vgg import VGG\n", False),
        ("from vgg import VGG\n", True),
    ],
)
def test_the_file_of_a_package_names_what_is_in_it(text, is_named):
    texts = {"nets/__init__.py": text, "nets/vgg.py": ""}
    assert names_neighbour("nets/__init__.py", texts) is is_named
