"""Python's own words mean what they always do behind `from data import *` of a module of the project; a function such
as `max` may be that module's."""

from __future__ import annotations

import pytest

from mindport.usage.api_use import Form
from usage.marks import check, usage_of

DATA = "import torch\n\n\ndef load():\n    return torch.ones(3)  # data\n"


@pytest.mark.parametrize(
    "test", ["isinstance(m, {})", "issubclass(m, {})", "isinstance(m, (int, {}))", "type(m) == {}"]
)
@pytest.mark.parametrize("star", ["", "from .data import *\n"])
def test_a_class_that_is_tested_for(test: str, star: str) -> None:
    source = f"from torch import nn\n{star}\n\ndef f(m):\n    return {test.format('nn.Conv2d')}\n"
    (use,) = [use for use in usage_of(source, data=DATA).uses if use.api == "torch.nn.Conv2d"]
    assert use.form is Form.TYPE_CHECK


def test_names_looked_up_by_their_text() -> None:
    check(
        """
        import torch
        from torch import nn
        from .data import *
        class Net(nn.Module):  #: torch.nn.Module
            def __init__(self):
                super().__init__()
                setattr(self, "part", nn.ReLU())  #: torch.nn.ReLU
            def train(self, mode=True):  #: torch.nn.Module.train
                return super().train(mode)  #: torch.nn.Module.train
            def reset(self):
                return self.part.eval(), getattr(torch, "relu")  #: torch.nn.Module.eval; torch.relu
        """,
        data=DATA,
    )


def test_other_names_may_come_from_the_module() -> None:
    data = "from torch import relu, max, round\n"
    check("from .data import *\nmax(3), round(3)  #: torch.max; torch.round\n", data=data)
