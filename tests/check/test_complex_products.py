"""Products and quotients of complex tensors are made of their parts, by functions."""

import pytest
from converting import converted

from mindport.rewrite.complex_products import with_products_of_parts
from mindport.rewrite.complex_values import functions_giving_complex

TEXT = "import math\n\nimport numpy as np\nimport torch\n\n\ndef f(x, w, n):\n{}\n    return y\n"

MADE = [
    ("    y = torch.fft.rfft(x) * w", "torch_complex_product(ops.rfft(x), w)"),
    ("    a = torch.fft.fft(x)\n    b = a.unsqueeze(0)[1:]\n    y = w * b", "torch_complex_product(w, b)"),
    ("    y = torch.polar(x, w) * torch.conj(w)", "torch_complex_product(ops.polar(x, w), ops.conj(w))"),
    ("    y = torch.complex(x, w) / n", "torch_complex_quotient(ops.Complex()(x, w), n)"),
    ("    y = torch.fft.rfft2(x)\n    y *= w  # 乘积 🙂", "    y = torch_complex_product(y, w)  # 乘积 🙂"),
    ("    a = torch.fft.rfft(x)\n    y = a * w * n", "torch_complex_product(torch_complex_product(a, w), n)"),
    ("    a = torch.fft.rfft(x)\n    y = (a + 1) * (w - n)", "torch_complex_product((a + 1), (w - n))"),
    (
        "    a = torch.fft.rfft(x)\n    y = n / (a * (w))",
        "torch_complex_quotient(n, torch_complex_product(a, (w)))",
    ),
    (
        "    a = torch.fft.rfft(x)\n    y = a * w / (a + 2) * n",
        "torch_complex_product(torch_complex_quotient(torch_complex_product(a, w), (a + 2)), n)",
    ),
    (
        "    a = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))\n    y = torch.view_as_real(a * w)",
        "ops.view_as_real(torch_complex_product(a, w))",
    ),
    ("    a = torch.fft.rfft(x)\n    y = abs(a * w)", "torch_abs(torch_complex_product(a, w))"),
    (
        "    a = torch.zeros(n, dtype=torch.cfloat)\n    y = abs(torch.einsum('bhex,bhey->bhxy', w, a))",
        "torch_abs(torch_einsum('bhex,bhey->bhxy', w, a))",
    ),
    (
        "    a = torch.zeros(n, dtype=torch.complex64)\n    y = a * w",
        "torch_complex_product(a, w)",
    ),
    ("    y = torch.exp(x + 1j * w)  # 相位 🙂", "ops.exp(x + torch_complex_product(1j, w))  # 相位 🙂"),
    ("    y = torch.exp(x) * -2j", "torch_complex_product(ops.exp(x), -2j)"),
    ("    y = torch.exp(-2j * np.pi / n * x)", "ops.exp(torch_complex_product(torch_complex_quotient("),
    ("    s = 1J * math.pi\n    y = torch.relu(x) / s", "torch_complex_quotient(ops.relu(x), s)"),
    ("    a = torch.exp(1j * x)\n    y = a.flip(0) * w", "torch_complex_product(a.flip((0,)), w)"),
    ("    y = torch.fft.rfft(x).mul(w)", "torch_complex_product(ops.rfft(x), w)"),
    (
        "    a = torch.fft.rfft(x)\n    y = w.mul((a)).div(a + 1)  # 商 🙂",
        "torch_complex_quotient(torch_complex_product(w, (a)), a + 1)  # 商 🙂",
    ),
    ("    a = torch.fft.rfft(x)\n    y = (a + 1).multiply(w * n)", "torch_complex_product((a + 1), w * n)"),
    (
        "    a = torch.stack(torch.chunk(torch.fft.rfft(x), 2), 1)\n    y = a / w",
        "torch_complex_quotient(a, w)",
    ),
    ("    a = w.mul(torch.fft.rfft(x))\n    y = a * n", "y = torch_complex_product(a, n)"),
    (
        "    kind = torch.cfloat if n else torch.cdouble\n    y = torch.ones(3, dtype=kind)\n    y *= n",
        "    y = torch_complex_product(y, n)",
    ),
    (
        "    def g(a):\n        return a * w  # 乘积 🙂\n    a = torch.fft.rfft(x)\n    y = g(a)",
        "return torch_complex_product(a, w)  # 乘积 🙂",
    ),
    (
        "    def g(a, b=0):\n        return b * w\n    y = g(n, b=torch.fft.rfft(x))",
        "return torch_complex_product(b, w)",
    ),
    (
        "    def g():\n        return n, torch.fft.rfft(x)\n    a, b = g()\n    y = w / b",
        "torch_complex_quotient(w, b)",
    ),
    ("    def g():\n        return torch.fft.rfft(x)\n    y = g() * w", "torch_complex_product(g(), w)"),
    # By another name.
    (
        "    def g(a):\n        return a * w\n    h = g if n else None\n    h = g\n    y = h(torch.fft.rfft(x))",
        "return torch_complex_product(a, w)",
    ),
    (
        "    def g():\n        return torch.fft.rfft(x)\n    h = g\n    y = h() * w",
        "y = torch_complex_product(h(), w)",
    ),
    ("    made = torch.view_as_complex\n    y = made(x) * w", "y = torch_complex_product(made(x), w)"),
    (
        "    a = torch.stft(x, 16, return_complex=True)\n    y = a / w",
        "y = torch_complex_quotient(a, w)",
    ),
    # Of what nothing says that it is complex, where complex numbers are about.
    (
        "    b = torch.fft.rfft(x)\n    y = w['a'] / (1e-8 + w['a'].abs())",
        "y = torch_complex_quotient(w['a'], (1e-8 + w['a'].abs()))",
    ),
    ("    y = 2j * math.pi / 3 + torch.ones(3)", "y = torch_complex_sum(2j * math.pi / 3, ops.ones((3,)))"),
    ("    y = torch.relu(x) + 1j  # 🙂", "y = torch_complex_sum(ops.relu(x), 1j)  # 🙂"),
    ("    y = 1j - torch.relu(x)", "y = torch_complex_sum(1j, -ops.relu(x))"),
    ("    y = torch.relu(x) - (1 + 2j)", "y = torch_complex_sum(ops.relu(x), -(1 + 2j))"),
    ("    y = torch.relu(x) - 2 * 1j", "y = torch_complex_sum(ops.relu(x), -2 * 1j)"),
    (
        "    y = (torch.relu(x) + 1j) * w",
        "y = torch_complex_product(torch_complex_sum(ops.relu(x), 1j), w)",
    ),
    ("    self.c = torch.fft.rfft(x)\n    y = self.c * w", "y = torch_complex_product(self.c, w)"),
    (
        "    self.register_buffer('c', 1j * torch.ones(3))\n    y = w / self.c",
        "y = torch_complex_quotient(w, self.c)",
    ),
    ("    y = torch.relu(x)\n    y *= 1j", "    y = torch_complex_product(y, 1j)"),
]
STAY = [
    "    a = torch.fft.rfft(x)\n    y = x.mul(w) + a.abs().div(2)",
    "    a = torch.fft.rfft(x)\n    y = a.div(2) + a.mul(0.5)",
    "    b = torch.fft.rfft(x)\n    y = x / (n.abs() + 1)",
    "    a = torch.stft(x, 16, return_complex=False)\n    y = a / w",
    "    def g(a):\n        return a * w\n    h = n\n    y = h(torch.fft.rfft(x))",
    "    kind = torch.float64\n    y = torch.ones(3, dtype=kind)\n    y *= n",
    "    y = (x.dtype == torch.cfloat) * torch.relu(w)",
    "    y = np.exp(2j * np.pi * n) + torch.ones(3)",
    "    y = 1j * np.arange(n) + torch.ones(3)",
    "    y = 1j + np.ones(3) + torch.ones(3)",
    "    y = 1 + 2j - 3 if n else torch.ones(3)",
    "    y = x - 1 + torch.fft.rfft(w)",
    "    self.c = torch.ones(3)\n    y = self.c * w",
    "    self.c = torch.fft.rfft(x)\n    y = w.c * x",
    "    y = '1j * x' + str(torch.relu(x) * w)",
    "    a2j = w\n    y = torch.relu(x) * a2j",
    "    y = torch.fft.irfft(x) * w",
    "    y = torch.fft.rfft(x) * 2",
    "    y = torch.fft.rfft(x) + w",
    "    y = torch.fft.rfft(x).abs() * w",
    "    y = np.fft.rfft(x) * w + torch.ones(3)",
    "    a = torch.fft.rfft(x)\n    y = x * w",
    "    a = torch.zeros(n, dtype=torch.float32)\n    y = a * w",
    "    a = np.zeros(n, dtype=np.complex64)\n    y = a * w + torch.ones(3)",
    "    y = abs(torch.fft.rfft(x)) * w",
    "    a = torch.fft.rfft(x)\n    y = -2.0 * a",
    "    def g(a):\n        return a * w\n    a = torch.fft.rfft(x)\n    y = g(x) + a",
    "    def g():\n        return x, torch.fft.rfft(x)\n    a, b = g()\n    y = a * w + b",
    "    def g(a, b):\n        return b * w\n    y = g(torch.fft.rfft(x), torch.relu(x))",
]


@pytest.mark.parametrize(("before", "after"), MADE)
def test_of_the_real_parts(before, after):
    once = converted(TEXT.format(before), unsafe=True)
    assert after in once
    assert converted(once, unsafe=True) == once


@pytest.mark.parametrize("before", STAY)
def test_others_stay(before):
    assert "torch_complex" not in converted(TEXT.format(before), unsafe=True)


def test_code_without_torch_stays():
    text = "def f(ops, x, w):\n    return ops.rfft(x) * w\n"
    assert converted(text) == text


SPECTRA = """import torch


def spectro(x):
    z = torch.stft(x, 16, return_complex=True)
    return z.view(1, -1)
"""
BEHIND = "from spectra import spectro as of_sound\n\n\ndef both(x):\n    return x, of_sound(x)\n"


def test_what_functions_of_other_files_give():
    outside = functions_giving_complex(
        [BEHIND.replace("dtype=t", "dtype=torch.complex64"), SPECTRA, "def (", ""]
    )
    assert outside == {"spectro": frozenset({-1}), "both": frozenset({1})}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("from spectra import spectro\ny = spectro(x) / w\n", "torch_complex_quotient(spectro(x), w)"),
        (
            "from .spectra import spectro as s\ny = s(x)[..., 1] * w\n",
            "torch_complex_product(s(x)[..., 1], w)",
        ),
        (
            "from spectra import both\na, b = both(x)\ny = a * w + b * w\n",
            "y = a * w + torch_complex_product(b, w)",
        ),
        ("from spectra import other\ny = other(x) / w  # spectro\n", "y = other(x) / w"),
        ("y = spectro(x) / w\n", "y = spectro(x) / w"),
    ],
)
def test_products_of_what_other_files_give(text, expected):
    outside = {"spectro": frozenset({-1}), "both": frozenset({1})}
    assert expected in with_products_of_parts("import torch\n", text, outside)
