"""What a function is given may be one of several networks, which calls show: that holds although it is used as any
network is."""

import pytest

from mindport.model.verdict import Confidence
from mindport.usage.project import Project

SURE = (Confidence.PROVED, Confidence.ANNOTATED, Confidence.INFERRED)
NETWORKS = """
import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 3)


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.deconv = nn.ConvTranspose2d(1, 2, 3)


class Plain:
    def __init__(self):
        self.conv = "conv"  # 卷积 🙂
"""


def attributes(given: str, body: str) -> list[str]:
    project = Project("/p")
    calls = "\n".join(f"wrap({one})" for one in given.split("; "))
    project.add("/p/a.py", f"{NETWORKS}\n\ndef wrap(layer):\n    {body}\n\n\n{calls}\n")
    uses = project.usage("/p/a.py").uses
    return [use.api for use in uses if use.api.endswith(".padding") and use.confidence in SURE]


@pytest.mark.parametrize(
    ("given", "body"),
    [
        ("Encoder(); Decoder()", "layer.conv.padding = (0, 0)"),
        ("Encoder(); Decoder()", "layer.conv.padding = (0, 0); layer.modules()"),
        ("Encoder(); Decoder()", "layer.modules(); other = layer; other.conv.padding = 1"),
        ("Encoder(); Encoder()", "layer.modules(); layer.conv.padding = 1"),
    ],
)
def test_the_one_that_has_it(given: str, body: str) -> None:
    assert attributes(given, body) == ["torch.nn.Conv2d.padding"]


@pytest.mark.parametrize(
    ("given", "body"),
    [
        ("Plain(); Plain()", "layer.conv.padding = (0, 0)"),
        ("Plain(); Decoder()", "layer.conv.padding = (0, 0); layer.modules()"),
        ("unknown(); other()", "layer.conv.padding = (0, 0); layer.modules()"),
        ("Decoder(); Decoder()", "layer.conv.padding = (0, 0)"),
    ],
)
def test_what_may_be_another(given: str, body: str) -> None:
    assert attributes(given, body) == []
