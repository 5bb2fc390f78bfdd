"""Tensors that a format puts into a text: MindSpore's have no formats, so the number in them is written."""

import pytest
from converting import converted

HEADER = """import torch
from torch import nn

net = nn.Linear(3, 4)
x = torch.rand(2, 3)
loss = net(x).sum()
"""
WRITTEN = {
    "an f-string": ("print(f'loss {loss:.4f}')", "print(f'loss {float(loss):.4f}')"),
    "the same twice": (
        "print(f'{loss} {loss:.4f} {loss:.1f}')",
        "print(f'{loss} {float(loss):.4f} {float(loss):.1f}')",
    ),
    "arithmetic": ("print(f'{loss / 3:>8.3e}')", "print(f'{float(loss / 3):>8.3e}')"),
    "space": ("print(f'{ loss :.3f}')", "print(f'{ float(loss) :.3f}')"),
    "beside other strings": (
        "print('{loss:.3f}' f'{loss:.3f}'\n      f'{3} {loss:.2f}')",
        "print('{loss:.3f}' f'{float(loss):.3f}'\n      f'{3} {float(loss):.2f}')",
    ),
    "several lines": (
        'print(f"""é 中\n  {loss:.3f}\n{x[0]\n[0]:.2f}""")',
        'print(f"""é 中\n  {float(loss):.3f}\n{float(x[0]\n[0]):.2f}""")',
    ),
    "a computed precision": ("n = 3\nprint(f'{loss:.{n}f}')", "print(f'{float(loss):.{n}f}')"),
    "format": ("print('{} {:.4f}'.format(1, loss))", "print('{} {:.4f}'.format(1, float(loss)))"),
    "format by place": (
        "print('{1:.4f} {0}'.format(1, loss + 1))",
        "print('{1:.4f} {0}'.format(1, float(loss + 1)))",
    ),
    "format by name": ("print('{l:g}'.format(l=loss))", "print('{l:g}'.format(l=float(loss)))"),
    "the function": ("print(format(loss, '.2f'))", "print(format(float(loss), '.2f'))"),
    "a width alone": ("print(f'{loss:>10}')", "print(f'{loss.item():>10}')"),
    "both with and without": (
        "print('{0} {0:.3f}'.format(loss))",
        "print('{0} {0:.3f}'.format(loss.item()))",
    ),
    "whole numbers": ("n = x.argmax()\nprint(f'{n:05d}')", "print(f'{int(n):05d}')"),
    "added up": (
        "total = 0.0\nfor i in range(3):\n    total += net(x).sum()\nprint(f'{total / 3:.3f}')",
        "print(f'{float(total / 3):.3f}')",
    ),
    "what a caller passes": (
        "def show(value):\n    print(f'{value:.3f}')\nshow(loss)",
        "print(f'{float(value):.3f}')",
    ),
}
KEPT = {
    "a number": "print(f'{loss.item():.4f} {float(loss):.4f}')",
    "no format": "print(f'{loss} {loss!r:>10} {loss=}')",
    "percent": "print('%.4f' % loss)",
    "an unknown value": "def show(value):\n    print(f'{value:.3f}')",
    "an attribute": "print('{0.ndim:d} {0:d}'.format(x.argmax(), loss))\n",
    "starred": "more = [1]\nprint('{:.3f} {:.3f}'.format(*more, loss))",
    "fields in formats": "print('{:.{}f}'.format(loss, 3))",
    "a broken format": "print('{:.3f'.format(loss))",
    "an own method": "class A:\n    def format(self, x):\n        return x\nprint(A().format(loss))",
}


@pytest.mark.parametrize(("code", "expected"), WRITTEN.values(), ids=list(WRITTEN))
def test_the_number_is_written(code, expected):
    once = converted(f"{HEADER}{code}\n")
    assert expected in once, once
    assert converted(once) == once


@pytest.mark.parametrize("code", [code for name, code in KEPT.items() if name != "an attribute"])
def test_what_stays(code):
    assert converted(f"{HEADER}{code}\n").endswith(f"{code}\n")
