"""Layers that are built after another one get a truth value where they are handed its bias."""

import pytest

from mindport.rewrite.biases_as_flags import hands_on_biases, with_truth_values_of_biases

HANDED_ON = [
    "new = Own(m.in_channels, m.out_channels,\n          m.kernel_size, m.bias)\n",
    "new = nn.Conv2d(m.in_channels, m.out_channels, m.kernel_size, bias=m.bias)\n",
    "new = nn.Linear(层.in_features, 层.out_features, 层.bias)  # 😀\n",
    "new = nn.Conv2d(m.in_channels, 3, tuple(m.kernel_size), has_bias=m.bias, group=m.group)\n",
]
AS_NUMBERS = [
    "config = {'bias': (1, 'whether to use bias (1) or not (0)')}\n",
    "config = {'lr': 0.1, \"use_bias\": 0}\n",
    "parser.add_argument('--bias', type=int, default=1, help='bias')\n",
    "parser.add_argument(\n    '--use-bias', default=0,\n)\n",
    "net = Own(3, 4, bias=1)\n",
    "def make(sizes, use_bias: int = 1):\n    return sizes\n",
]
NOT_HANDED_ON = [
    "config = {'bias': (True, 'whether to use bias'), 'forget_bias': 1}\n",
    "parser.add_argument('--bias', action='store_true')\n",
    "parser.add_argument('--forget-bias', type=int, default=1)\n",
    "parser.add_argument('--bias', action='store_true')\nparser.add_argument('--k', type=int)\n",
    "nn.init.constant_(m.bias, 0)\nm.bias = 0\n",
    "bias = 1.0\nnet = Own(3, bias=1.5, forget_bias=1)\n",
    "new = Own(m.in_channels, m.out_channels, m.bias is not None)\n",
    "y = F.conv2d(x, m.weight, m.bias, m.stride)\n",
    "y = F.linear(x, self.weight, self.bias)\n",
    "new = Own(self.in_features, self.out_features, self.bias)\n",
    "new = Own(m.in_channels, n.bias)\n",
    "new = nn.Conv2d(3, 4, 3, bias=False)\n",
]


@pytest.mark.parametrize("text", HANDED_ON)
def test_biases_that_are_handed_on(text):
    assert hands_on_biases(["x = 1\n", text])


@pytest.mark.parametrize("text", AS_NUMBERS)
def test_biases_that_are_numbers(text):
    assert hands_on_biases(["x = 1\n", text])


@pytest.mark.parametrize("text", NOT_HANDED_ON)
def test_no_bias_is_handed_on(text):
    assert not hands_on_biases([text])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("m = nn.Conv2d(3, 4, 3, has_bias=bias)\n", "m = nn.Conv2d(3, 4, 3, has_bias=bool(bias))\n"),
        ("m = nn.Dense(3, 4, has_bias=m.bias)\n", "m = nn.Dense(3, 4, has_bias=bool(m.bias))\n"),
        ("é = '😀', nn.Dense(3, has_bias=偏)\n", "é = '😀', nn.Dense(3, has_bias=bool(偏))\n"),
    ],
)
def test_layers_get_truth_values(before, after):
    assert with_truth_values_of_biases(before) == after
    assert with_truth_values_of_biases(after) == after


@pytest.mark.parametrize(
    "text",
    [
        "m = nn.Conv2d(3, 4, 3, has_bias=True)\n",
        "m = nn.Dense(3, 4, has_bias=not norm)\n",
        "m = nn.Dense(3, 4, has_bias=norm is None)\n",
        "m = Own(3, bias=bias)\n",
        "m = nn.Dense(has_bias=bias\n",
    ],
)
def test_other_layers_stay(text):
    assert with_truth_values_of_biases(text) == text
