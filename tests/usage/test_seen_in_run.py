"""What a run showed counts where the text does not tell, as evidence of its own grade, and for the text that ran."""

from __future__ import annotations

import ast

import pytest

from mindport.mapping.index import load_index
from mindport.mapping.judge import judge
from mindport.model.target import Device, Target, Version
from mindport.model.verdict import Applicability, Confidence
from mindport.registry.mindspore import mindspore_facts
from mindport.registry.torch import torch_facts
from mindport.usage.api_use import ApiUse, Form, Kind
from mindport.usage.project import Project
from mindport.usage.seen.run import (
    SeenCall,
    SeenClass,
    SeenFile,
    SeenFunction,
    SeenTensor,
    SeenValue,
    digest_of,
)

PATH = "/p/net.py"
TENSOR = SeenValue(("torch.Tensor",), SeenTensor(("torch.float32",), (2, None)))
MASK = SeenValue(("torch.Tensor",), SeenTensor(("torch.bool",), (2,)))
ARRAY = SeenValue(("numpy.ndarray",))
CPU = Target(Version(2, 10, 0), Device.CPU)


def one(value: object) -> SeenValue:
    """What was one value of Python's."""
    return SeenValue((type(value).__name__,), values=(value,))


def several(*values: object) -> SeenValue:
    return SeenValue(tuple(dict.fromkeys(type(value).__name__ for value in values)), values=values)


def call(text: str, code: str, name: str, *arguments: SeenValue, **more) -> SeenCall:
    """The call of a name that `code` is in a text, whose bytes and characters may differ."""
    start = len(text[: text.index(code)].encode())
    before = text.encode()[:start].decode()
    line = before.count("\n") + 1
    column = len(before.rpartition("\n")[2].encode())
    return SeenCall((line, column, line, column + len(code.encode())), name, 1, arguments, **more)


def seen_file(text: str, *calls: SeenCall, **more) -> SeenFile:
    return SeenFile(digest_of(text), calls, **more)


def uses_of(text: str, *calls: SeenCall, **more) -> list[ApiUse]:
    project = Project("/p")
    project.add(PATH, text)
    project.see({PATH: seen_file(text, *calls, **more)})
    return list(project.usage(PATH).uses)


def confidences(uses: list[ApiUse]) -> dict[str, Confidence]:
    found = [use for use in uses if use.receiver or use.form is Form.OPERATOR]
    return {use.api.removeprefix("torch.Tensor."): use.confidence for use in found}


VIEW = "import torch\n\n\ndef f(x):\n    return x.view(2)\n"
CHINESE = "import torch\n\n\ndef f(x):\n    '数据 🙂'; y = x.view(2)\n    return y\n"
SUM = "import torch\n\n\ndef f(x):\n    return x.sum()\n"
ABS = "import torch\n\n\ndef f(z):\n    return abs(z)\n"
SHAPE = "import torch\n\n\ndef f(x):\n    return x.ndim\n"
PLAIN = "import torch\n\n\ndef f(x, y):\n    return x + y\n"
ITEM = "import torch\n\n\ndef f(x):\n    return x[None]\n"


@pytest.mark.parametrize(
    ("text", "code", "name", "arguments", "found"),
    [
        (VIEW, "x.view(2)", "torch.Tensor.view", (TENSOR, one(2)), {"view": Confidence.SEEN}),
        (CHINESE, "x.view(2)", "torch.Tensor.view", (TENSOR, one(2)), {"view": Confidence.SEEN}),
        (SUM, "x.sum()", "torch.Tensor.sum", (TENSOR,), {"sum": Confidence.SEEN}),
        (ABS, "abs(z)", "torch.Tensor.__abs__", (TENSOR,), {"__abs__": Confidence.SEEN}),
        (SHAPE, "x.ndim", "torch.Tensor.ndim.__get__", (TENSOR,), {"ndim": Confidence.SEEN}),
        (PLAIN, "x + y", "torch.Tensor.add", (one(1), TENSOR), {"__add__": Confidence.SEEN}),
        (VIEW, "x.view(2)", "torch.nn.functional.relu", (TENSOR,), {"view": Confidence.GUESSED}),
        (VIEW, "return x", "torch.Tensor.view", (TENSOR, one(2)), {"view": Confidence.GUESSED}),
        (SUM, "x.sum()", "torch.Tensor.sum", (), {}),
    ],
)
def test_receivers_become_certain_where_they_were_seen(text, code, name, arguments, found):
    present = confidences(uses_of(text, call(text, code, name, *arguments)))
    assert {
        name: one for name, one in present.items() if one is not Confidence.GUESSED or found.get(name)
    } == found


@pytest.mark.parametrize(
    ("value", "confidence"),
    [
        (TENSOR, Confidence.SEEN),
        (SeenValue(("torch.nn.parameter.Parameter",), TENSOR.tensor), Confidence.SEEN),
        (SeenValue(("NoneType", "torch.Tensor"), TENSOR.tensor), Confidence.SEEN),
        (SeenValue(("torch.Tensor", "..."), TENSOR.tensor), Confidence.GUESSED),
        (SeenValue(("torch.Tensor", "other.Thing"), TENSOR.tensor), Confidence.GUESSED),
        (SeenValue(("torch.Tensor", "numpy.ndarray"), TENSOR.tensor), None),
        (ARRAY, None),
        (one(3), None),
        (SeenValue(("other.Thing",)), Confidence.GUESSED),
    ],
)
def test_parameters_are_what_functions_got(value, confidence):
    functions = (SeenFunction("f", 4, 1, {"x": value}),)
    assert confidences(uses_of(VIEW, functions=functions)).get("view") is confidence


def test_attributes_are_what_objects_kept():
    text = (
        "import torch\n\n\nclass Memory:\n    def add(self, x):\n        self.last = x\n\n"
        "    def total(self):\n        return self.last.view(-1)\n"
    )
    kept = (SeenClass("Memory", {"last": TENSOR}),)
    assert confidences(uses_of(text))["view"] is Confidence.GUESSED
    assert confidences(uses_of(text, classes=kept))["view"] is Confidence.SEEN
    assert (
        confidences(uses_of(text, classes=(SeenClass("Other", {"last": TENSOR}),)))["view"]
        is Confidence.GUESSED
    )


def test_what_calls_gave_counts():
    text = "import torch\n\n\ndef f(make):\n    x = make()\n    return x.view(2)\n"
    seen = call(text, "make()", "torch.zeros", result=TENSOR)
    assert confidences(uses_of(text, seen))["view"] is Confidence.SEEN


def test_what_is_known_is_no_less_sure():
    text = "import torch\n\n\ndef f(x: torch.Tensor):\n    return x.view(2)\n\n\ntorch.ones(2).view(1)\n"
    seen = (
        call(text, "x.view(2)", "torch.Tensor.view", TENSOR, one(2)),
        call(text, "torch.ones(2).view(1)", "torch.Tensor.view", TENSOR, one(1)),
    )
    found = [use.confidence for use in uses_of(text, *seen) if use.api == "torch.Tensor.view"]
    assert found == [Confidence.ANNOTATED, Confidence.PROVED]


def test_facts_of_another_text_do_not_count():
    project = Project("/p")
    project.add(PATH, VIEW)
    project.see({PATH: seen_file(VIEW, call(VIEW, "x.view(2)", "torch.Tensor.view", TENSOR, one(2)))})
    for text, confidence in (
        (VIEW, Confidence.SEEN),
        (VIEW + "\n", Confidence.GUESSED),
        (VIEW, Confidence.SEEN),
    ):
        project.add(PATH, text)
        assert confidences(list(project.usage(PATH).uses))["view"] is confidence
    project.see({})
    assert confidences(list(project.usage(PATH).uses))["view"] is Confidence.GUESSED


def test_a_name_that_was_looked_up_is_known():
    text = "import torch\nfrom torch import nn\n\n\ndef f(kind):\n    return getattr(nn, kind)(3)\n"
    [plain] = [use for use in uses_of(text) if use.detail]
    assert plain.names == ()
    seen = call(text, "getattr(nn, kind)(3)", "torch.nn.modules.activation.Softplus", one(3))
    other = call(text, "getattr(nn, kind)(3)", "torch.optim.adam.Adam")
    [use] = [use for use in uses_of(text, seen, other) if use.detail]
    assert use.names == ("Softplus",)


def judged(use: ApiUse):
    return judge(use, CPU, load_index(), torch_facts(), mindspore_facts(CPU.version))


TO = "import torch\n\n\ndef f(x: torch.Tensor, where):\n    return x.to(where)\n"


@pytest.mark.parametrize(
    ("value", "is_decided"),
    [
        (one("cpu"), True),
        (SeenValue(("torch.device",)), True),
        (SeenValue(("torch.dtype",), values=({"torch": "torch.float16"},)), True),
        (SeenValue(("str", "torch.dtype")), False),
        (SeenValue(("other.Thing",)), False),
    ],
)
def test_what_depends_on_an_argument_is_decided_by_those_that_were_seen(value, is_decided):
    [use] = [
        use for use in uses_of(TO, call(TO, "x.to(where)", "torch.Tensor.to", TENSOR, value)) if use.call
    ]
    [plain] = [use for use in uses_of(TO) if use.call]
    assert judged(plain).depends_on
    found = judged(use)
    assert bool(found.depends_on) is not is_decided
    assert (found.as_seen is not None) is is_decided
    assert found.applicability is not Applicability.SAFE


def test_a_fix_that_rests_on_a_run_is_never_safe():
    [use] = [use for use in uses_of(SUM, call(SUM, "x.sum()", "torch.Tensor.sum", TENSOR)) if use.call]
    assert judged(use).applicability is not Applicability.SAFE


def test_what_was_seen_is_said():
    seen = call(VIEW, "x.view(2)", "torch.Tensor.view", TENSOR, one(2), result=MASK)
    [use] = [use for use in uses_of(VIEW, seen) if use.call]
    assert use.seen == ("float32[2, *]", "2", "-> bool[2]")
    [argument] = use.call.arguments
    assert argument.is_literal and argument.seen is None


@pytest.mark.parametrize(
    ("written", "arguments", "kinds"),
    [
        ("torch.cat(a, b)", (SeenValue(("list",)), one(1)), [Kind.SEQUENCE, Kind.INT]),
        ("torch.cat(a, dim=b)", (SeenValue(("tuple",)),), [Kind.SEQUENCE, None]),
        ("torch.cat(*a)", (SeenValue(("list",)),), [None]),
        ("torch.cat(a)", (SeenValue(("list",)), one(1)), [Kind.SEQUENCE]),
        ("torch.cat(a, b)", (SeenValue(("list",)),), [None, None]),
    ],
)
def test_arguments_are_told_apart_by_place(written, arguments, kinds):
    text = f"import torch\n\n\ndef f(a, b):\n    return {written}\n"
    [use] = [use for use in uses_of(text, call(text, written, "torch.cat", *arguments)) if use.call]
    assert [one.seen and one.seen.kind for one in use.call.arguments] == kinds


def test_a_text_is_known_by_its_content_however_its_lines_end():
    assert digest_of("a\r\nb\r") == digest_of("a\nb\n") != digest_of("a\nb")
    assert ast.parse(CHINESE)
