"""A method of the project is torch's only where torch calls it: what takes the place of a module's method gets
MindSpore's name together with its calls, what only has the name of one keeps it."""

from __future__ import annotations

import pytest
from converting import converted

from mindport.checking.fixing import fix_paths

NET = """from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.part = nn.ReLU()

    def {signature}:
        {body}


class Deeper(Net):
    def run(self, x):
        return self.{call}


net = Net()
net.{call}
Net.{name}(net, 3)
"""


def module(name, parameters, body, call):
    signature = f"{name}({', '.join(['self', *parameters])})"
    return NET.format(name=name, signature=signature, body=body, call=call)


# name, parameters, body, a call, name in MindSpore
IN_PLACE_OF_TORCH = [
    ("train", ["mode=True"], "return super().train(mode)", "train(False)", "set_train"),
    ("train", ["mode"], "return self", "train(True)", "set_train"),
    ("train", ["is_training=True"], "return self", "train()", "set_train"),
    ("train", ["is_training: bool"], "return self", "train(True)", "set_train"),
    ("train", ["mode=True", "freeze=False"], "return super().train(mode)", "train(freeze=True)", "set_train"),
    ("train", ["epochs"], "return super().train(epochs > 0)", "train(3)", "set_train"),
    ("train", ["*args", "**more"], "return self", "train(3)", "set_train"),
    ("forward", ["x", "mask", "*rest"], "return x", "forward(3, 4)", "construct"),
    ("extra_repr", [], "return 'n=3'", "extra_repr()", "extend_repr"),
]
OF_ITS_OWN = [
    ("train", ["loaders"], "return loaders", "train([3])"),
    ("train", ["epochs=10"], "return epochs", "train(epochs=3)"),
    ("train", ["data", "mode=True"], "return data", "train([3])"),
    ("train", ["loader=None"], "return loader", "train([3])"),
    ("train", ["*", "loader"], "return loader", "train(loader=3)"),
    ("train", ["data: list"], "return data", "train([3])"),
    ("extra_repr", ["depth"], "return depth", "extra_repr(3)"),
    ("eval", ["data"], "return data", "eval([3])"),
    ("modules", [], "return 3", "modules()"),
    ("to", ["where", "name", "how"], "return where", "to(1, 2, 3)"),
    ("step", [], "return 3", "step()"),
]


@pytest.mark.parametrize(("name", "parameters", "body", "call", "new"), IN_PLACE_OF_TORCH)
def test_what_torch_calls_is_renamed_with_its_calls(name, parameters, body, call, new):
    once = converted(module(name, parameters, body, call))
    after = module(new, parameters, body.replace(f".{name}(", f".{new}("), call.replace(name, new, 1))
    assert (
        once.partition("    def ")[2].partition("    def ")[2]
        == after.partition("    def ")[2].partition("    def ")[2]
    )
    assert converted(once) == once


@pytest.mark.parametrize(("name", "parameters", "body", "call"), OF_ITS_OWN)
def test_what_only_has_the_name_keeps_it(name, parameters, body, call):
    once = converted(module(name, parameters, body, call))
    before = module(name, parameters, body, call).partition("nn.ReLU()\n")[2]
    assert once.partition("nn.ReLU()\n")[2].replace("        self.set_train()\n", "") == before
    assert converted(once) == once


PLAIN = """class Prior:
    def __init__(self, sizes):
        self.sizes = sizes

    def {name}(self, x=1):
        return self.sizes
"""
SSD = """from torch import nn
{imported}


class SSD(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.prior = Prior(sizes)
        self.boxes = self.prior.{name}()
        self.priors = [Prior(sizes)]

    def boxes_of(self, prior: Prior):
        return prior.{name}(), self.priors[0].{name}(), Prior(3).{name}(), Prior.{name}(prior)


ssd = SSD([3])
ssd.prior.{name}()
"""


@pytest.mark.parametrize(
    "name", ["forward", "train", "eval", "to", "cuda", "half", "parameters", "state_dict"]
)
@pytest.mark.parametrize(
    "imported", ["from prior import Prior", "from prior import *", "import prior\n\nPrior = prior.Prior"]
)
def test_methods_of_a_class_that_is_no_module_keep_their_names(name, imported, folder, settings, target):
    texts = {"prior.py": PLAIN.format(name=name), "ssd.py": SSD.format(name=name, imported=imported)}
    fixed = {one.path: one.after.text for one in fix_paths(folder(texts), settings, target, ".")}
    assert fixed["prior.py"] == texts["prior.py"]
    rest = fixed["ssd.py"].partition("super().__init__()\n")[2].replace("        self.set_train()\n", "")
    assert rest == texts["ssd.py"].partition("super().__init__()\n")[2]


def test_calls_in_other_files_follow_the_method(folder, settings, target):
    texts = {
        "net.py": module("train", ["mode=True"], "return super().train(mode)", "train(False)"),
        "run.py": "from net import Deeper\n\n\ndef run(x):\n    net = Deeper()\n    return net.train(), net.eval()\n",
    }
    fixed = {one.path: one.after.text for one in fix_paths(folder(texts), settings, target, ".")}
    assert "    return net.set_train(), net.set_train(False)\n" in fixed["run.py"]


INIT = """from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.part = nn.ReLU()

    def train({parameters}):
        self.part.eval()
        return self


class Deeper(Net):
    def __init__(self):
        super().__init__()
"""


BASE = """from torch import nn


class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.kind = "base"


class Other(Base):
    def __init__(self):
        super().__init__()


class Net(Base):
    def build(self):
        self.part = nn.ReLU()

    def train({parameters}):
        self.part.eval()
        return self
"""


@pytest.mark.parametrize(
    ("parameters", "of_base"),
    [
        ("self, mode=True", "nn.Cell.add_flags_recursive(self, training=True)"),
        ("self, loader", "self.set_train()"),
    ],
)
def test_a_base_is_built_without_the_switch_of_a_class_that_derives_from_it(parameters, of_base):
    once = converted(BASE.format(parameters=parameters))
    assert f'        self.kind = "base"\n        {of_base}\n' in once
    assert "        super().__init__()\n        self.set_train()\n" in once
    assert converted(once) == once


@pytest.mark.parametrize(
    ("imported", "base", "parameters", "of_base", "of_heir"),
    [
        ("from base import Base", "Base", "self, mode=True", "nn.Cell.", "nn.Cell."),
        ("import base", "base.Base", "self, mode: bool", "nn.Cell.", "nn.Cell."),
        ("from base import Base as Plain", "Plain", "self, mode=True", "nn.Cell.", "nn.Cell."),
        ("from base import Base", "Base", "self, loader", "self.set_train()", "self.set_train()"),
        ("from torch.nn import Module as Base", "Base", "self, mode=True", "self.set_train()", "nn.Cell."),
    ],
)
def test_a_base_in_another_file_is_built_without_it_too(
    imported, base, parameters, of_base, of_heir, folder, settings, target
):
    before, _, heir = BASE.partition("class Other")
    net = heir.partition("\n\n\n")[2].replace("(Base)", f"({base})").format(parameters=parameters)
    net = (
        f"{imported}\nfrom torch import nn\n\n\n{net}\n    def __init__(self):\n        super().__init__()\n"
    )
    deeper = "from net import Net\nfrom torch import nn\n\n\nclass Deeper(Net):\n    def __init__(self):\n"
    deeper += "        super().__init__()\n        self.drop = nn.Dropout()\n"
    texts = {"base.py": before.rstrip() + "\n", "net.py": net, "deeper.py": deeper}
    fixed = {one.path: one.after.text for one in fix_paths(folder(texts), settings, target, ".")}
    start = {name: text.partition("super().__init__()\n")[2] for name, text in fixed.items()}
    assert of_base in start["base.py"]
    assert of_heir in start["net.py"]
    assert of_heir in start["deeper.py"]


@pytest.mark.parametrize(
    ("parameters", "statement"),
    [
        ("self, mode=True", "nn.Cell.add_flags_recursive(self, training=True)"),
        ("self, loader", "self.set_train()"),
    ],
)
def test_a_class_is_built_without_its_own_switch(parameters, statement):
    once = converted(INIT.format(parameters=parameters))
    assert once.count(f"        {statement}\n") == 2
    has_own = "nn.Cell" in statement
    assert once.count("    add_flags_recursive = torch_add_flags_recursive\n\n    def set_train(") == has_own
    assert converted(once) == once
