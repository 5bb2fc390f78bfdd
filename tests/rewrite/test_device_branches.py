"""What is done on the GPU and elsewhere is written once; every other choice stays."""

from __future__ import annotations

import pytest

from mindport.rewrite.device_branches import device_branches
from mindport.rewrite.text_edits import with_edits

HEAD = "import torch\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("if on_gpu:\n    loss = BCE().cuda()\nelse:\n    loss = BCE()\ny = 1\n", "loss = BCE()\ny = 1\n"),
        (
            # 层 🙂: networks that are moved alone, a comment in the block that stays, lines of one call
            "def f(self):\n    if self.gpu:  # 快\n        self.G.cuda()\n        x = g(y.cuda(),\n              1)\n"
            "    else:\n        # 🙂\n        x = g(y,\n              1)  # 慢\n    return x\n",
            "def f(self):\n    # 🙂\n    x = g(y,\n          1)  # 慢\n    return x\n",
        ),
        (
            "if not torch.cuda.is_available():\n    x = x.float()\n\nelse:\n    x = x.to(device).float()\n",
            "x = x.float()\n\n",
        ),
        (
            "if c:\n    w = torch.load(p)\nelse:\n    w = torch.load(p, map_location='cpu')\nz = 2",
            "w = torch.load(p)\nz = 2",
        ),
        ("if c:\n    n = x.cpu().numpy()\nelse:\n    n = x.numpy()", "n = x.numpy()"),
        ("T = torch.cuda.FloatTensor if cuda else torch.FloatTensor\n", "T = torch.FloatTensor\n"),
        ("x = (y).cuda() if c else (y)\n", "x = y\n"),
        ("x = (y.cuda() if c else y + 1) * (a + b)\n", "x = (y.cuda() if c else y + 1) * (a + b)\n"),
        ("x = (y.cuda() + 1 if c else y + 1) * (a + b)\n", "x = (y + 1) * (a + b)\n"),
        ("f(x if device is None else x.to(device), 1)\n", "f(x, 1)\n"),
        ("y = getattr(x + 1, ('cpu', 'cuda')[x.is_cuda])().long()  # 🙂\n", "y = (x + 1).long()  # 🙂\n"),
        (
            "x = x[:, getattr(torch.arange(x.size(1)-1, \n    -1, -1), ('cpu','cuda')[x.is_cuda])().long(), :]\n",
            "x = x[:, torch.arange(x.size(1)-1, \n    -1, -1).long(), :]\n",
        ),
        ("f(getattr(net, 'cuda' if args.gpu else 'cpu')())\n", "f(net)\n"),
        ("x = getattr(x, {True: 'cuda', False: 'cpu'}[层])()\n", "x = x\n"),
        ("x = getattr(getattr(x, 'cpu')(), 'cuda')()\n", "x = getattr(x, 'cpu')()\n"),
        ("y = torch.ones(3).cuda() if '层' else torch.ones(3)  # 🙂\n", "y = torch.ones(3)  # 🙂\n"),
    ],
)
def test_written_once(text: str, expected: str) -> None:
    assert with_edits(HEAD + text, device_branches(HEAD + text)) == HEAD + expected


@pytest.mark.parametrize(
    "text",
    [
        "if c:\n    x = f(y)\nelse:\n    x = f(y)\n",  # its author's own
        "if c:\n    x = f(y).cuda()\nelse:\n    x = g(y)\n",
        "if c:\n    x = x.cuda()\n",
        "if queue.get():\n    x = y.cuda()\nelse:\n    x = y\n",  # asking changes something
        "if a:\n    pass\nelif c:\n    x = y.cuda()\nelse:\n    x = y\n",
        "x = a if c else b\n",
        "device = torch.device('cuda') if c else torch.device('cpu')\n",
        "net = DataParallel(net).cuda() if c else net\n",
        "if c:\n    x = f(y.cuda(), '''a\n    b''')\nelse:\n    x = f(y, '''a\n    b''')\n",
        "if c: x = y.cuda()\nelse: x = y\n",
        "x = y.cuda() if c else\n",
        "x = getattr(x, ('cpu', 'numpy')[c])()\n",
        "x = getattr(x, ('cpu', 'cuda')[queue.get()])()\n",
        "x = getattr(x, 'cpu' if c else name)()\n",
        "x = getattr(x, ('cpu', 'cuda')[c])\n",
        "x = getattr(x, name)()\n",
        "x = getattr(x, 'cuda')(0)\n",
        "x = getattr(x, 'cpu', None)()\n",
    ],
)
def test_what_stays(text: str) -> None:
    assert device_branches(HEAD + text) == []
    assert device_branches(text.replace("torch", "numpy")) == []  # no file of torch's
