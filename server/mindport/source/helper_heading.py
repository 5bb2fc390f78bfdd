"""How a module of helpers begins that mindport wrote: its strings and calls are mindport's, not the project's."""

HELPER_HEADING = (
    '"""MindSpore code with the signatures of PyTorch names, which the converted files import."""\n'
)


def is_helper_module(text: str) -> bool:
    """Whether a text is such a module."""
    return text.startswith(HELPER_HEADING.rstrip())
