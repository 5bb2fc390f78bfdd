"""Answers of units are kept while the units stay as they are."""

import ast

from mindport.source.module import parse_module
from mindport.source.text import SourceText
from mindport.usage.unit_answers import UnitAnswers

TEXT = """\
import torch


class Net(torch.nn.Module):
    def __init__(self):
        self.a = 1

    def forward(self, x):
        return x  # 层 🚀


def train(net):
    net.b = 2
"""


def attributes(trees):
    return {one.attr for tree in trees for one in ast.walk(tree) if isinstance(one, ast.Attribute)}


def test_a_change_costs_the_units_that_it_is_in():
    read = []

    def counted(trees):
        read.append(attributes(trees))
        return read[-1]

    answers = UnitAnswers(counted)
    module = parse_module(SourceText("net.py", TEXT).text)
    first = answers.of("net.py", module.units)
    # The body of a class is in units of its own, so its header has none of it.
    assert {"nn", "Module"} in first and set().union(*first) == {"nn", "Module", "a", "b"}
    read.clear()
    assert answers.of("net.py", module.units) == first and not read
    module = module.update(TEXT.replace("return x", "return x.c\n"))
    assert set().union(*answers.of("net.py", module.units)) == {"nn", "Module", "a", "b", "c"}
    assert read == [{"c"}]
    answers.forget("net.py")
    read.clear()
    answers.of("net.py", module.units)
    assert len(read) == len(module.units)
