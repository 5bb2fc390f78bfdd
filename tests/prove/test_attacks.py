"""Attacks on an example: what is made of it, from its texts and torch's signatures alone."""

import ast

import pytest

from mindport.mapping.schema import Example
from mindport.prove.attacks import attacks_on
from mindport.registry.torch import torch_facts


def attacks(api, before, compare="value", **inputs):
    example = Example(before, "", inputs, compare=compare)
    return {one.name: one for one in attacks_on(example, [api], torch_facts().signatures(api))}


SUM = attacks("torch.sum", "y = torch.sum(x, 1)", x="rand(2, 3)")
CONV = attacks("torch.nn.Conv2d", "m = nn.Conv2d(3, 4, (3, 2), bias=False)\ny = m(x)", x="randn(1, 3, 8, 8)")


DROPOUT = attacks("torch.nn.Dropout", "m = nn.Dropout(0.5)\ny = m(x)", "structure", x="rand(2, 3)")
FILLED = attacks("torch.nn.init.constant_", "nn.init.constant_(x, 0.5)\ny = x", x="rand(2, 3)")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("one axis more in x", "rand(2, 2, 3)"),
        ("one axis fewer in x", "rand(3)"),
        ("axes of one in x", "rand(1, 1)"),
        ("no elements in x", "rand(0, 3)"),
        ("x in float64", "rand(2, 3, dtype='float64')"),
    ],
)
def test_inputs_become_others(name, text):
    assert SUM[name].example.inputs == {"x": text}
    assert SUM[name].example.before == "y = torch.sum(x, 1)"


@pytest.mark.parametrize(
    ("found", "name", "call"),
    [
        (SUM, "argument 2 2", "torch.sum(x, 2)"),
        (SUM, "argument 2 -1", "torch.sum(x, -1)"),
        (SUM, "by name from 1", "torch.sum(x, dim=1)"),
        (SUM, "handed on", "(lambda function: function)(torch.sum)(x, 1)"),
        (SUM, "keepdim=True", "torch.sum(x, 1, keepdim=True)"),
        (SUM, "dtype=torch.float64", "torch.sum(x, 1, dtype=torch.float64)"),
        (SUM, "first 1 arguments", "torch.sum(x)"),
        (DROPOUT, "p=1", "nn.Dropout(0.5, p=1)"),
        (DROPOUT, "m.eval()", "nn.Dropout(0.5)\nm.eval()\ny"),
        (FILLED, "value taken", "z = nn.init.constant_(x, 0.5)\ny = x"),
        (SUM, "value dropped", "torch.sum(x, 1)"),
        (CONV, "argument 3 (-4, -3)", "nn.Conv2d(3, 4, (-4, -3), bias=False)"),
        (CONV, "argument 3 (4, 2)", "nn.Conv2d(3, 4, (4, 2), bias=False)"),
        (CONV, "without bias", "nn.Conv2d(3, 4, (3, 2))"),
        (CONV, "bias=True", "nn.Conv2d(3, 4, (3, 2), bias=True)"),
        (CONV, "argument 3 (2, 3)", "nn.Conv2d(3, 4, (2, 3), bias=False)"),
        (CONV, "stride=2", "nn.Conv2d(3, 4, (3, 2), bias=False, stride=2)"),
        (CONV, "padding_mode='circular'", "nn.Conv2d(3, 4, (3, 2), bias=False, padding_mode='circular')"),
    ],
)
def test_calls_become_others(found, name, call):
    assert call in found[name].example.before


def test_values_are_bent_and_the_example_stays():
    for name in ("ties", "infinite", "nan", "int32", "boolean"):
        assert SUM[name].variant == name and SUM[name].example.inputs == {"x": "rand(2, 3)"}


def test_a_module_is_tried_in_evaluation_mode_and_asked_for_its_settings():
    assert "bias=False)\nm.eval()\ny" in CONV["m.eval()"].example.before
    assert CONV["m.stride"].example.observe == "m.stride"
    assert "m.eval()" not in SUM and "m.dim" not in SUM


def test_what_is_drawn_is_run_many_times():
    drawn = {name for name, one in DROPOUT.items() if one.is_drawn}
    assert {"drawn", "m.eval()", "inplace=True"} <= drawn and "ties" not in DROPOUT
    assert [name for name, one in CONV.items() if one.is_drawn] == ["drawn weights"]
    assert DROPOUT["drawn"].request("")["example"]["compare"] == "drawn"
    assert SUM["ties"].request("")["example"]["compare"] == "value"


def test_what_was_tried_in_evaluation_alone_is_tried_in_training():
    found = attacks("torch.nn.Dropout", "m = nn.Dropout(0.5).eval()\ny = m(x)", x="rand(2, 3)")
    assert (
        found["in training"].example.before == "m = nn.Dropout(0.5)\ny = m(x)"
        and found["in training"].is_drawn
    )
    assert "in training" not in CONV and "in training" not in DROPOUT


def test_a_stream_with_a_seed_of_its_own_says_nothing_of_chance():
    before = "g = torch.Generator().manual_seed(3)\ny = torch.randn(3, generator=g)"
    assert not any(one.is_drawn for one in attacks("torch.randn", before, "structure").values())


def test_the_value_of_a_statement_is_observed():
    assert FILLED["value taken"].example.observe == "z"
    assert SUM["value dropped"].example.observe == "x"
    assert "value taken" not in SUM and "value dropped" not in FILLED


def test_inputs_that_are_not_generated_stay():
    found = attacks("torch.add", "y = torch.add(x, 1)", x="tensor([1.0, 2.0])", i="randint(0, 5, (3,))")
    assert not [name for name in found if "axis" in name or "elements" in name or name in ("ties", "nan")]


def test_arguments_that_are_spread_stay_by_place():
    found = attacks("torch.clamp", "y = torch.clamp(x, *bounds)", x="rand(2, 3)", bounds="(0, 1)")
    assert "by name from 0" not in found and "handed on" in found


def test_every_attack_can_be_parsed_and_is_another_sample():
    for one in (*SUM.values(), *CONV.values()):
        ast.parse(one.example.before)
    assert len({(one.example.before, str(one.example.inputs), one.variant) for one in SUM.values()}) == len(
        SUM
    )
