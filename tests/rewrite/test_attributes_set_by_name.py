"""Buffers that get another tensor by a name that is computed."""

import pytest

from mindport.rewrite.attributes_set_by_name import with_buffers_set_by_name

BEFORE = "import torch\n"
TEXT = """from mindspore import nn


class Net(nn.Cell):
    def __init__(self, u, names):
        {registered}

    def set(self, name, u, layer):
        {set}  # 中文 😀
"""


def converted(registered: str, given: str) -> str:
    text = TEXT.format(registered=registered, set=given)
    found = with_buffers_set_by_name(BEFORE, text)
    assert with_buffers_set_by_name(BEFORE, found) == found
    return found


BY_NAME = 'layer.register_buffer(name + "_u", u)'
CONSTANT = 'self.register_buffer("scale0", u)'


@pytest.mark.parametrize(
    ("registered", "given"),
    [
        (BY_NAME, 'setattr(layer, name + "_u", u)'),
        (BY_NAME, 'setattr(layer, f"{name}_u", u * 2)'),
        (BY_NAME, "setattr(layer, name, u)"),
        (BY_NAME, 'setattr(layer, "weight_u", normalize(u))'),
        (BY_NAME, 'setattr(self, "%s_u" % name, nn.functional.normalize(u))'),
        ("self.register_buffer(name=name, tensor=u)", "setattr(layer, names[0], u)"),
        (CONSTANT, 'setattr(self, "scale%d" % i, u)'),
        (CONSTANT, 'setattr(self, "scale{}".format(i), u)'),
        (CONSTANT, 'setattr(layer.part, f"{name}0", u)'),
    ],
)
def test_set_by_a_function(registered: str, given: str) -> None:
    found = converted(registered, given)
    assert f"        torch_{given}  # 中文 😀\n" in found
    assert "def torch_setattr(" in found


@pytest.mark.parametrize(
    ("registered", "given"),
    [
        (BY_NAME, 'setattr(layer, name + "_v", u)'),
        (BY_NAME, 'setattr(layer, name + "_u", 0)'),
        (BY_NAME, 'setattr(layer, name + "_u", None)'),
        (BY_NAME, "setattr(layer, name, nn.Dense(2, 2))"),
        (BY_NAME, "setattr(layer, name, mindspore.Parameter(u))"),
        (BY_NAME, "layer.setattr(name, u)"),
        (CONSTANT, 'setattr(self, f"fc{i}", u)'),
        (CONSTANT, 'setattr(self, "scale1", u)'),
        ("other.register_buffer", "setattr(self, name, u)"),
        ("pass", "setattr(self, name, u)  # no register_buffer"),
    ],
)
def test_what_stays(registered: str, given: str) -> None:
    assert converted(registered, given) == TEXT.format(registered=registered, set=given)


def test_of_self_only_the_buffers_of_its_class_count() -> None:
    text = TEXT.format(registered="pass", set="setattr(self, name, u)")
    other = 'class Other(nn.Cell):\n    def __init__(self, u):\n        self.register_buffer("u", u)\n'
    assert with_buffers_set_by_name(BEFORE, text + other) == text + other
    derived = text.replace("Net(nn.Cell)", "Net(Base)") + other
    assert "torch_setattr(self, name, u)" in with_buffers_set_by_name(BEFORE, derived)


def test_code_of_mindspore_stays() -> None:
    text = TEXT.format(registered=BY_NAME, set="setattr(layer, name, u)")
    assert with_buffers_set_by_name("import mindspore\n", text) == text
