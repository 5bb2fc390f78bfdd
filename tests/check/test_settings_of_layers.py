"""Settings of layers that are set after they were built are set so that the layers follow them."""

import pytest
from converting import converted

TEXT = "from functools import partial\nfrom torch import nn\n\n\nclass Net(nn.Module):\n    def f(self, m, n=2):\n{}\n"
SET = "TorchConvolutionSettings(m)"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("        nn.Conv2d(3, 3, 3).stride = (1, 1)", "        TorchConvolutionSettings(nn.Conv2d("),
        (
            "        for m in self.modules():\n            m.stride = (1, 1)",
            f"            {SET}.stride = (1, 1)\n",
        ),
        (
            "        for n, m in self.named_modules():\n            if 'conv2' in n:\n"
            "                m.dilation, m.padding = (2, 2), m.padding",
            f"                {SET}.dilation, {SET}.padding = (2, 2), m.padding\n",
        ),
        (
            "        if 'Conv' in m.__class__.__name__:\n            m.padding = n\n\n"
            "    def g(self):\n        self.apply(self.f)",
            f"            {SET}.padding = n\n",
        ),
        (
            "        for m in self.modules():\n            if isinstance(m, nn.Dropout):\n                m.p = 0.1",
            "                TorchDropoutSettings(m).p = 0.1\n",
        ),
        (
            "        for m in self.modules():\n            if hasattr(m, 'p'):\n                m.p *= 0.1",
            "                TorchDropoutSettings(m).p *= 0.1\n",
        ),
        (
            "        for m in self.modules():\n            if hasattr(m, 'p') and m.p > n:\n                m.p = n",
            "            if hasattr(TorchDropoutSettings(m), 'p') and TorchDropoutSettings(m).p > n:\n",
        ),
        (
            "        return [k for k, m in self.named_modules() if hasattr(m, 'p')]",
            "        return [k for k, m in self.cells_and_names() if hasattr(TorchDropoutSettings(m), 'p')]\n",
        ),
        (
            "        for m in self.modules():\n            setattr(m, 'p', n)",
            "            setattr(TorchDropoutSettings(m), 'p', n)\n",
        ),
        (
            "        for m in self.modules():\n            if 'norm' in str(m):\n                m.eps = 1e-3",
            "                TorchLayerNormSettings(m).eps = 1e-3\n",
        ),
        (
            "        m.bias = nn.Parameter(n)\n        return nn.Linear(n, n, bias=False)",
            "        TorchBiasSettings(m).bias = mindspore.Parameter(n)\n",
        ),
        (
            "        k = nn.Linear(3, 4, bias=False)\n        k.bias = self.bias",
            "        TorchBiasSettings(k).bias = self.bias\n",
        ),
        ("        nn.LayerNorm(3).eps = 1e-3", "        TorchLayerNormSettings(nn.LayerNorm((3,), epsilon"),
        (
            "        m.stride = n\n\n    def g(self):\n        self.apply(partial(self.f, n=4))",
            f"        {SET}.stride = n\n",
        ),
    ],
)
def test_what_sets_them(before, after):
    once = converted(TEXT.format(before))
    assert after in once
    assert converted(once) == once


@pytest.mark.parametrize(
    "body",
    [
        "        m.stride = n",
        "        for m in self.modules():\n            m.dilations = n",
        "        for m in self.modules():\n            n.stride = m.stride",
        "        m.p = n",
        "        m.bias = nn.Parameter(n)",
        "        self.bias = nn.Parameter(n)\n        return nn.Linear(n, n, bias=False)",
        "        k = nn.Linear(3, 4)\n        k.bias = nn.Parameter(n)",
        "        for m in self.modules():\n            if isinstance(m, nn.BatchNorm2d):\n                m.eps = 1e-3",
        "        for m in self.modules():\n            setattr(n, 'p', m)",
        "        nn.Dropout(n).p",
    ],
)
def test_what_is_no_setting_of_a_layer(body):
    assert "Settings(" not in converted(TEXT.format(body))
