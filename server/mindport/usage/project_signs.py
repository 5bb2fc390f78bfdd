"""Signs of what a project may do anywhere, which no type of a value says: a tensor that comes from another file may be
complex, the name of a weight may have been listed there. Without any such sign in a project it does not."""

from __future__ import annotations

_SIGNS = {
    # makes tensors of complex numbers, or asks for one
    "complex": (
        *(
            "fft",
            "stft",
            "_complex",
            ".complex",
            "complex(",
            "complex32",
            "complex64",
            "complex128",
            "polar(",
        ),
        *("cfloat", "cdouble", "chalf", ".eig", *(f"{digit}j" for digit in range(10))),
    ),
    # lists weights or buffers with their names
    "names": ("named_parameters(", "named_buffers("),
}


def project_signs(text: str) -> frozenset[str]:
    """What a text is a sign of, by the names that conditions of mappings have for it: `$complex`, `$names`."""
    return frozenset(name for name, signs in _SIGNS.items() if any(sign in text for sign in signs))
