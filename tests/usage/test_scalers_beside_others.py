"""A method that a scaler and a class of the project both have, asked of a value that may be either, is no scaler's."""

import pytest

from usage.marks import usage_of

HEAD = """import torch

class Average:
    def update(self, net):
        self.count = 1

class Plain:
    pass

"""
SCALER = "scaler = torch.amp.GradScaler('cpu')\n"


def uses_of_a_scaler(code: str) -> list[str]:
    found = (use.api for use in usage_of(HEAD + code).uses)
    return [api.rpartition(".")[2] for api in found if ".GradScaler." in api]


@pytest.mark.parametrize(
    ("code", "names"),
    [
        (SCALER + "scaler.update()\n", ["update"]),
        (
            "def f(**given):\n    given.get('ema').update(0)\n"
            + SCALER
            + "f(ema=Average(), scaler=scaler)\n",
            [],
        ),
        ("def f(**given):\n    given['ema'].update(0)\n" + SCALER + "f(ema=Average(), scaler=scaler)\n", []),
        (SCALER + "kept = {'ema': Average(), 'scaler': scaler}\nkept['ema'].update(0)\n", []),
        (SCALER + "for one in (Average(), scaler):\n    one.update(0)\n", []),
        (
            "def made() -> torch.nn.Module: ...\n"
            "def f(**given):\n    given.get('ema').update(0)\n" + SCALER + "f(ema=made(), scaler=scaler)\n",
            [],
        ),
        ("def f(scaler=None):\n    scaler.update()\n" + SCALER + "f(scaler)\nf(None)\n", ["update"]),
        # Only the scaler has it.
        (SCALER + "kept = {'ema': Plain(), 'scaler': scaler}\nkept['scaler'].update()\n", ["update"]),
    ],
)
def test_what_the_project_defines_is_its_own(code: str, names: list[str]) -> None:
    assert uses_of_a_scaler(code) == names
