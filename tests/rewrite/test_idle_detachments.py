"""What becomes an array or a number is not detached before; what stays a tensor is."""

from __future__ import annotations

import pytest

from mindport.rewrite.idle_detachments import without_idle_detachments

TORCH = "import torch\n"
OPS = "import mindspore\nfrom mindspore import ops\n"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("y = ops.stop_gradient(x).asnumpy()\n", "y = x.asnumpy()\n"),
        ("y = mindspore.ops.stop_gradient(x[0]).asnumpy()[1]\n", "y = x[0].asnumpy()[1]\n"),
        ("y = ops.stop_gradient(a + b).item()  # 值 🙂\n", "y = (a + b).item()  # 值 🙂\n"),
        (
            "y = ops.stop_gradient(x).squeeze(0)[1:].float().tolist()\n",
            "y = x.squeeze(0)[1:].float().tolist()\n",
        ),
        ("y = ops.stop_gradient(x).asnumpy().tolist()\n", "y = x.asnumpy().tolist()\n"),
        (
            "y = ops.stop_gradient(f(ops.stop_gradient(x).item())).asnumpy()\n",
            "y = f(ops.stop_gradient(x).item()).asnumpy()\n",
        ),
        ("y = ops.stop_gradient(f(\n    x)).T.asnumpy()\n", "y = f(\n    x).T.asnumpy()\n"),
        (
            "y = g(ops.stop_gradient(x).asnumpy(), ops.stop_gradient(x))\n",
            "y = g(x.asnumpy(), ops.stop_gradient(x))\n",
        ),
    ],
)
def test_what_leaves_the_gradient_anyway(code: str, expected: str) -> None:
    rest = "z = ops.relu(mindspore.int32)\n"
    assert without_idle_detachments(TORCH, OPS + code + rest) == OPS + expected + rest


def test_an_import_that_only_it_needed_goes() -> None:
    text = "from mindspore import nn, ops\ny = nn, ops.stop_gradient(x).asnumpy()\n"
    assert without_idle_detachments(TORCH, text) == "from mindspore import nn\ny = nn, x.asnumpy()\n"
    text = "from mindspore import ops\ny = ops.stop_gradient(x).asnumpy()\n"
    assert without_idle_detachments(TORCH, text) == "y = x.asnumpy()\n"


@pytest.mark.parametrize(
    ("before", "text"),
    [
        (TORCH, OPS + "y = ops.stop_gradient(x)\n"),
        (TORCH, OPS + "y = np.asarray(ops.stop_gradient(x))\n"),
        (TORCH, OPS + "y = ops.stop_gradient(x).squeeze(0)\n"),
        (TORCH, OPS + "y = (ops.stop_gradient(x) + x).asnumpy()\n"),
        (TORCH, OPS + "y = f(ops.stop_gradient(x)).asnumpy()\n"),
        (TORCH, OPS + "y = x.asnumpy(ops.stop_gradient(x))\n"),
        (TORCH, "import ops\ny = ops.stop_gradient(x).asnumpy()\n"),  # another ops
        (OPS, OPS + "y = ops.stop_gradient(x).asnumpy()\n"),  # the user's own
        (TORCH, OPS + "y = ops.stop_gradient(x).asnumpy(\n"),
    ],
)
def test_else_it_stays(before: str, text: str) -> None:
    assert without_idle_detachments(before, text) == text
