"""A test of a converted text names each class once."""

from __future__ import annotations

import pytest

from mindport.rewrite.repeated_classes import without_repeated_classes

TORCH = "import torch\n"
START = "try:\n    f()\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("except (ValueError, RuntimeError, ValueError):", "except (ValueError, RuntimeError):"),
        ("except (RuntimeError, RuntimeError) as e:  # 错误 🙂", "except (RuntimeError) as e:  # 错误 🙂"),
        ("except (a.Error, ValueError , a.Error):", "except (a.Error, ValueError):"),
    ],
)
def test_errors(text: str, expected: str) -> None:
    assert without_repeated_classes(TORCH, f"{START}{text}\n    pass\n") == f"{START}{expected}\n    pass\n"


def test_types() -> None:
    text = "y = isinstance(m, (nn.Conv2d, nn.Dense, nn.Conv2d))\n"
    assert without_repeated_classes(TORCH, text) == "y = isinstance(m, (nn.Conv2d, nn.Dense))\n"


@pytest.mark.parametrize(
    ("before", "text"),
    [
        (TORCH, f"{START}except (ValueError, RuntimeError):\n    pass\n"),
        (TORCH, f"{START}except ValueError:\n    pass\n"),
        (TORCH, f"{START}except (\n    ValueError,  # one\n    ValueError,\n):\n    pass\n"),
        (TORCH, "y = (nn.Conv2d, nn.Conv2d)\n"),
        (TORCH, "y = isinstance(m, (a(), a()\n"),
        (TORCH, "y = isinstance(m, kinds)\n"),
        (
            f"{TORCH}{START}except (KeyError, KeyError):\n    pass\n",
            f"{START}except (KeyError, KeyError):\n    pass\n",
        ),
        ("import numpy\n", f"{START}except (KeyError, KeyError):\n    pass\n"),
    ],
)
def test_what_stays(before: str, text: str) -> None:
    assert without_repeated_classes(before, text) == text
