"""Whole training programs: `mindport fix` with safe fixes alone gives MindSpore code that runs without torch and has
torch's losses over the first steps, from the same weights, data and noise."""

import ast
import shutil

import numpy as np
import pytest
from command import fix
from training_programs import (
    DIFFERENCE,
    FOLLOWED,
    FORMS,
    TrainingProgram,
    losses,
    ported,
    training_programs,
    variants,
)

pytestmark = pytest.mark.oracle

PROGRAMS = {name: one for name, one in training_programs().items() if one.file.parent == FOLLOWED}


@pytest.fixture(scope="module")
def port(tmp_path_factory):
    return ported(FOLLOWED, tmp_path_factory.mktemp("port"))


def test_every_form_has_a_program_and_every_program_a_form():
    assert {name for names in FORMS.values() for name in names} == set(training_programs())


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_port_has_the_losses_of_torch(name, port, tmp_path):
    expected, found = losses(PROGRAMS[name], port, tmp_path)
    assert np.isfinite(expected).all() and len(set(expected)) > 4  # something was learnt
    assert np.abs(found - expected).max() < DIFFERENCE


@pytest.mark.parametrize(
    "program", sorted((FOLLOWED / "other_memory").glob("*.py")), ids=lambda file: file.stem
)
def test_weights_that_get_other_memory_between_two_steps(program, tmp_path):
    """Projects of their own: their steps are written differently, and no safe fix converts them."""
    (tmp_path / "port").mkdir()
    shutil.copy(program, tmp_path / "port")
    fix(tmp_path / "port", "--unsafe-fixes")
    expected, found = losses(TrainingProgram(program, variants, 0.15), tmp_path / "port", tmp_path)
    assert np.isfinite(expected).all() and len(set(expected)) > 4
    assert np.abs(found - expected).max() < DIFFERENCE


def test_nothing_of_torch_is_left_and_fixing_again_changes_nothing(port):
    before = {file: file.read_bytes() for file in port.glob("*.py")}
    assert "Applied 0 fixes" in fix(port)
    for file, content in before.items():
        assert file.read_bytes() == content
        names = {node.id for node in ast.walk(ast.parse(content)) if isinstance(node, ast.Name)}
        attributes = {node.attr for node in ast.walk(ast.parse(content)) if isinstance(node, ast.Attribute)}
        assert "torch" not in names, file.name
        assert not attributes & {"backward", "zero_grad"}, file.name


def test_a_port_whose_gradients_are_lost_is_told_apart(port, tmp_path):
    """The check above is no formality: an optimizer that is not called changes the losses."""
    wrong = shutil.copytree(port, tmp_path / "wrong") / "train_digits.py"
    text = wrong.read_text()
    assert "optimizer(grads)" in text
    wrong.write_text(text.replace("optimizer(grads)", "pass"))
    expected, found = losses(PROGRAMS["train_digits"], wrong.parent, tmp_path)
    assert np.abs(found - expected).max() > DIFFERENCE
