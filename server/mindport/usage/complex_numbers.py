"""Whether a project may have tensors of complex numbers anywhere. No type of a value says so: a tensor that comes from
another file may be one. Without any such sign in a project there is none."""

from __future__ import annotations

_SIGNS = (
    *("fft", "stft", "_complex", ".complex", "complex(", "complex32", "complex64", "complex128", "polar("),
    *("cfloat", "cdouble", "chalf", ".eig", *(f"{digit}j" for digit in range(10))),
)


def has_complex_numbers(text: str) -> bool:
    """Whether a text may make a tensor of complex numbers, or ask for one."""
    return any(sign in text for sign in _SIGNS)
