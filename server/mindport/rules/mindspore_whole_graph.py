"""A graph is compiled as a whole for Ascend, for one shape of its inputs.

What it does
------------
Reports, where Ascend is the target, `backend="GE"` of `mindspore.jit` and the level "O2" of `JitConfig` and
`set_context`.

Why it matters
--------------
GE sinks the whole graph: it takes no shapes that are open or follow from data, compiles longer, and is hard to
debug. It is documented as deprecated since MindSpore 2.9.0. "O0" and "O1" run the graph operator by operator and take
open shapes.

Example
-------
    network.set_jit_config(mindspore.JitConfig(jit_level="O2"))

Use instead
-----------
    network.set_jit_config(mindspore.JitConfig(jit_level="O1"))

References
----------
The documentation of `mindspore.jit` and `mindspore.JitConfig` in MindSpore 2.8.0, and the warnings of 2.9.0.
"""

from __future__ import annotations

from mindport.mapping.plan import MindSporeSide
from mindport.model.finding import Severity
from mindport.model.language import say
from mindport.model.target import Device, Target
from mindport.registry.compile_options import CompileOption
from mindport.rules.compile_options import options_in, shown
from mindport.rules.rule import Rule, RuleExample
from mindport.rules.wording import target_words
from mindport.usage.mindspore_uses import MindSporeUse


def check(use: MindSporeUse, target: Target, _: MindSporeSide) -> str:
    """The message for the first option that compiles a whole graph."""
    if target.device is not Device.ASCEND:
        return ""
    return next((_of(option, use, target) for option in options_in(use) if option.whole_graph), "")


def _of(option: CompileOption, use: MindSporeUse, target: Target) -> str:
    text = say(
        "`{option}` compiles the whole graph by GE on {target}, as is documented: each input has one shape, and none "
        "may follow from data; with {instead} it runs operator by operator",
        option=shown(option, use),
        target=target_words(target),
        instead=option.instead,
    )
    if not option.is_deprecated(target.version):
        return text
    return say("{text}; it is deprecated since {since}", text=text, since=option.deprecated)


_IMPORT = "import mindspore as ms\n"
RULE = Rule(
    code="MP510",
    name="mindspore-whole-graph",
    severity=Severity.INFORMATION,
    page=__doc__,
    check_mindspore=check,
    examples=(
        RuleExample(f'{_IMPORT}g = ms.jit(f, backend="GE")\n', True, device="Ascend"),
        RuleExample(
            f'{_IMPORT}config = ms.JitConfig(jit_level="O2")\n', True, device="Ascend", version="2.8.0"
        ),
        RuleExample(f'{_IMPORT}ms.set_context(jit_config={{"jit_level": "O2"}})\n', True, device="Ascend"),
        RuleExample(f'{_IMPORT}g = ms.jit(f, backend="GE")\n', False),
        RuleExample(f'{_IMPORT}g = ms.jit(f, jit_level="O1")\n', False, device="Ascend"),
        RuleExample(f"{_IMPORT}config = ms.JitConfig(jit_level=level)\n", False, device="Ascend"),
        RuleExample(
            f'{_IMPORT}if is_ascend:\n    ms.set_context(jit_config={{"jit_level": "O2"}})\n',
            False,
            device="Ascend",
        ),
    ),
)
