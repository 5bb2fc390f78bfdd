"""Whether the receiver of a method is made in the expression itself, so that nobody else sees what happens to it."""

from __future__ import annotations

import pytest

from mindport.usage.project import Project

HEAD = "import torch\ndef f(x: torch.Tensor, z: torch.Tensor, net):\n    y = "


def is_new(expression: str) -> bool:
    project = Project("/p")
    project.add("/p/a.py", f"{HEAD}{expression}\n")
    (use,) = [use for use in project.usage("/p/a.py").uses if use.api == "torch.Tensor.add_"]
    return use.on_new_tensor


@pytest.mark.parametrize(
    "receiver",
    [
        "(x + z)",
        "torch.zeros(3)",
        "x.clone()",
        "x.mul(z)",
        "torch.exp(x)",
        "x.exp().sub(1)",
        "x.masked_fill(z > 0, 1)",
        "torch.tensor([1.0, 2.0])",
        "torch.cat([x, z])",
        "x.sum(0)",
        "torch.nn.functional.softmax(x, 0)",
        "torch.rand(3).mul_(2 * z)",
        "torch.zeros(3).view(-1)",
        "(x + z).t().float()",
    ],
)
def test_computed(receiver: str) -> None:
    assert is_new(f"{receiver}.add_(1)")


@pytest.mark.parametrize(
    "receiver",
    [
        *(
            "x",
            "x.data",
            "x.t()",
            "x.squeeze(0)",
            "x.view(-1)",
            "x.detach()",
            "x.contiguous()",
            "x.to('cpu')",
        ),
        *(
            "x.conj_physical()",
            "torch.exp(x, out=z)",
            "x.requires_grad_()",
            "x.mul_(2)",
            "x.view(-1).mul_(2)",
            "torch.zeros(3).set_(x)",
        ),
        *(
            "torch.as_tensor(z)",
            "torch.from_numpy(z)",
            "torch.cat([x, z], out=x)",
            "x.max(0)[0]",
            "x.sum(0)[0]",
        ),
    ],
)
def test_somebody_else_may_have_it(receiver: str) -> None:
    assert not is_new(f"{receiver}.add_(1)")
