"""What the rules about options of compilation share: which of them a call of MindSpore passes, and their words."""

from __future__ import annotations

from collections.abc import Iterator

from mindport.registry.compile_options import CompileOption, compile_options
from mindport.usage.mindspore_uses import MindSporeUse


def options_in(use: MindSporeUse) -> Iterator[CompileOption]:
    """The options that a call passes for certain, on every device; none where the code asks for the device."""
    if use.guarded or not use.arguments:
        return
    for option in compile_options():
        if use.name not in option.calls:
            continue
        argument = use.keyword(option.keyword)
        if argument is not None and (
            not option.values or (argument.is_literal and argument.value in option.values)
        ):
            yield option


def shown(option: CompileOption, use: MindSporeUse) -> str:
    """The option as it is written, such as `jit_level="O2"`; the keyword alone where its value is no plain text."""
    argument = use.keyword(option.keyword)
    last = option.keyword.rpartition(".")[2]
    return f'{last}="{argument.value}"' if argument is not None and isinstance(argument.value, str) else last
