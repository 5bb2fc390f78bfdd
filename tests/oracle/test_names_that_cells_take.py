"""Which attributes of a network MindSpore's Cell takes for its own: the names that a conversion does not leave."""

import pytest

from mindport.usage.names_of_cells import TAKEN

pytestmark = pytest.mark.oracle


def keeps(name, make):
    """Whether a network can have an attribute of this name, and has it still after it was used."""
    import mindspore
    from mindspore import nn, ops

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.fc = nn.Dense(2, 2)
            setattr(self, name, value)
            self.set_train()

        def construct(self, x):
            return self.fc(x)

    value = make(nn)
    try:
        net = Net()
        net.set_train(False)
        net.set_train(True)
        net.set_grad()
        optimizer = mindspore.experimental.optim.SGD(nn.SequentialCell([net]).trainable_params(), lr=0.1)
        _, gradients = mindspore.value_and_grad(
            lambda: net(ops.ones((1, 2))).sum(), None, optimizer.parameters
        )()
        optimizer(gradients)
        return getattr(net, name) is value
    except (AttributeError, KeyError, TypeError, ValueError):
        return False


KINDS = {"text": lambda nn: "mine", "layer": lambda nn: nn.Dense(2, 2)}


@pytest.mark.parametrize("kind", KINDS)
def test_every_name_that_is_not_kept_is_known(kind):
    import torch
    from mindspore import nn

    names = {
        name for name in (*dir(nn.Cell), *vars(nn.Cell())) if not name.startswith("_") and name.islower()
    }
    names -= {"construct", "set_train", *dir(torch.nn.Module), *vars(torch.nn.Module())}
    lost = {name for name in names if not keeps(name, KINDS[kind])}
    assert lost <= TAKEN
    assert {"phase", "cells", "requires_grad"} <= lost


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["stage", "phases", "layers", "flags", "phase_"])
def test_other_names_are_kept(name, kind):
    assert keeps(name, KINDS[kind])


def test_every_private_name_is_known():
    import torch
    from mindspore import nn

    names = {*dir(nn.Cell), *vars(nn.Cell())} - {*dir(torch.nn.Module), *vars(torch.nn.Module())}
    private = {name for name in names if name.startswith("_") and not name.startswith("__")}
    assert private == {name for name in TAKEN if name.startswith("_")}
