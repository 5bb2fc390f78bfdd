"""What torch called `async` is called `non_blocking`, so that the rest of a file can be read."""

from __future__ import annotations

import pytest

from mindport.rewrite.arguments_called_async import arguments_called_async
from mindport.rewrite.text_edits import with_edits
from mindport.source.syntax import parses


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "def f(x, y):  # 设备 🙂\n    return x.cuda(), '🙂', y.cuda(async=True)\n",
            "def f(x, y):  # 设备 🙂\n    return x.cuda(), '🙂', y.cuda(non_blocking=True)\n",
        ),
        (
            "x = y[0].cuda(  # async=True\n    device=d(1, [2]),\n    async = asynchronous)\n",
            "x = y[0].cuda(  # async=True\n    device=d(1, [2]),\n    non_blocking = asynchronous)\n",
        ),
        (
            "a.copy_(b, async=True); c.type(d, async=False); e.to(f, async=g)\nprint('async=1')\n",
            "a.copy_(b, non_blocking=True); c.type(d, non_blocking=False); e.to(f, non_blocking=g)\nprint('async=1')\n",
        ),
    ],
)
def test_the_argument(text: str, expected: str) -> None:
    assert not parses(text)
    assert with_edits(text, arguments_called_async(text)) == expected
    assert parses(expected)
    assert arguments_called_async(expected) == []


@pytest.mark.parametrize(
    "text",
    [
        "x = cuda(async=True)\n",  # a function of the project, whose parameter is called so elsewhere
        "x = pool.apply(f, async=True)\n",
        "x = y.cuda(f(async=True))\n",
        "def cuda(self, async=True): pass\n",
        "async = True\nx = y.cuda(async)\n",
        # It is no Python for other reasons as well.
        "x = 'y.cuda(async=True)\n",
        "x = y.cuda(async=True)\nprint x\n",
        "x = y.cuda(async==True\n",
        # What parses has the name in texts alone.
        "x = 'y.cuda(async=True)'  # z.cuda(async=True)\n",
        "async def f(x): return x.cuda(non_blocking=True)\n",
    ],
)
def test_what_is_not_torchs(text: str) -> None:
    assert arguments_called_async(text) == []
