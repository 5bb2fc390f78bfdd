"""An option that a graph is compiled with is refused on the target, or changes nothing there.

What it does
------------
Reports options of `mindspore.jit`, `JitConfig` and `set_context` that the target version refuses, that are documented
for another device, and open shapes together with a backend that takes none.

Why it matters
--------------
`jit_level="O2"` is a level of `JitConfig`, and raises in `jit`. What belongs to Ascend is left out without a word on a
CPU or GPU: the program runs, but not as it says. The GE backend compiles the graph of one shape as a whole.

Example
-------
    @mindspore.jit(jit_level="O2")
    def step(x): ...

Use instead
-----------
    @mindspore.jit(jit_level="O1")
    def step(x): ...

References
----------
`mappings/_graph/options.json`: each option with what MindSpore did when it was given on a CPU; the documentation of
`mindspore.jit` and `mindspore.JitConfig` for devices.
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
    """The message for the first option that does not do what it says."""
    return next((text for option in options_in(use) if (text := _of(option, use, target))), "")


def _of(option: CompileOption, use: MindSporeUse, target: Target) -> str:
    if option.is_refused(target.version):
        return say(
            "{use} refuses `{option}` on {target}; it takes {instead}",
            use=use.name,
            option=shown(option, use),
            target=target_words(target),
            instead=option.instead,
        )
    if option.devices and target.device not in option.devices:
        return say(
            "`{option}` changes nothing on {target}: it is documented for {devices} only",
            option=shown(option, use),
            target=target_words(target),
            devices=" and ".join(device.value for device in option.devices),
        )
    dynamic = use.keyword("dynamic")
    if option.whole_graph and target.device is Device.ASCEND and dynamic is not None and dynamic.value == 1:
        return say(
            "`dynamic=1` and `{option}` exclude each other on {target}: GE takes no open shapes, as is documented; "
            'compile with "ms_backend"',
            option=shown(option, use),
            target=target_words(target),
        )
    return ""


_IMPORT = "import mindspore as ms\n"
RULE = Rule(
    code="MP509",
    name="mindspore-compile-option",
    severity=Severity.WARNING,
    page=__doc__,
    check_mindspore=check,
    examples=(
        RuleExample(f'{_IMPORT}@ms.jit(jit_level="O2")\ndef f(x):\n    return x\n', True),
        RuleExample(f'{_IMPORT}@ms.jit(jit_level="O2")\ndef f(x):\n    return x\n', True, device="Ascend"),
        RuleExample(f'{_IMPORT}net.set_jit_config(ms.JitConfig("O3"))\n', False),
        RuleExample(f'{_IMPORT}config = ms.JitConfig(jit_level="O3")\n', True, version="2.7.0"),
        RuleExample(f'{_IMPORT}config = ms.JitConfig(jit_level="O2")\n', True),
        RuleExample(f'{_IMPORT}config = ms.JitConfig(jit_level="O2")\n', False, device="Ascend"),
        RuleExample(f'{_IMPORT}ms.set_context(mode=0, jit_config={{"jit_level": "O2"}})\n', True),
        RuleExample(f'{_IMPORT}ms.set_context(mode=0, jit_config={{"jit_level": "O1"}})\n', False),
        RuleExample(f'{_IMPORT}g = ms.jit(f, exec_order="dfs")\n', True, device="GPU"),
        RuleExample(f'{_IMPORT}g = ms.jit(f, exec_order="dfs")\n', False, device="Ascend"),
        RuleExample(f'{_IMPORT}g = ms.jit(f, backend="GE", dynamic=1)\n', True, device="Ascend"),
        RuleExample(f'{_IMPORT}g = ms.jit(f, backend="GE", dynamic=0)\n', False, device="Ascend"),
        RuleExample(f'{_IMPORT}g = ms.jit(f, backend="ms_backend", dynamic=1)\n', False, device="Ascend"),
        RuleExample(f"{_IMPORT}g = ms.jit(f, jit_level=level, **options)\n", False),
        RuleExample(
            f'{_IMPORT}if device == "Ascend":\n    ms.set_context(jit_config={{"jit_level": "O2"}})\n', False
        ),
        RuleExample('from numba import jit\nimport mindspore\ng = jit(f, jit_level="O2")\n', False),
    ),
)
