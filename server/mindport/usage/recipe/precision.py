"""Mixed precision: torch's autocast and scalers, half-precision models, apex, and the switch that turns it on."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mindport.usage.api_use import Form
from mindport.usage.recipe.answer import KnownValue, shown
from mindport.usage.recipe.arguments import details_of
from mindport.usage.recipe.code import Code
from mindport.usage.recipe.entry import ChecklistTopic, Detail, Entry
from mindport.usage.recipe.values import Values

_AUTOCAST = re.compile(
    r"^torch\.(cuda\.|cpu\.)?(amp\.)?(autocast|GradScaler)$|^torch\.amp\.(autocast_mode|grad_scaler)\.\w+$"
)
_SWITCH = re.compile(
    r"^(use_|enable_)?(fp16|amp|bf16|half|mixed_precision|half_precision|use_half)(_training|_run)?$"
)


def mixed_precision(code: Code, values: Values) -> Iterator[Entry]:
    """One entry for each name that is used, at its first place, and one for the setting that turns it on."""
    told: set[str] = set()
    for file in code.files:
        for use, call in file.calls():
            is_apex = use.library == "apex" and ".amp" in use.api
            if (_AUTOCAST.match(use.api) or is_apex) and use.form is not Form.IMPORT:
                name = use.api.rpartition(".")[2]
                if name not in told:
                    told.add(name)
                    details = details_of(values, file, use.api, call)
                    yield Entry(
                        ChecklistTopic.PRECISION,
                        f"{name} of apex" if is_apex else name,
                        file.place(call),
                        details,
                    )
            elif use.api == "torch.nn.Module.half" and use.api not in told:
                told.add(use.api)
                yield Entry(ChecklistTopic.PRECISION, "model in half precision", file.place(call))
    switches = []
    for name in values.settings.names():
        if _SWITCH.match(name):
            setting = values.setting(name)
            if isinstance(setting, KnownValue) and isinstance(setting.value, bool | str):
                switches.append(Detail(name, shown(setting.value), setting.place))
    if switches and told and switches[0].place is not None:
        documented = [
            f"{detail.name} is given by the documented command in {command.place}"
            for detail in switches
            for command in values.commands
            if detail.name in command.options
        ]
        yield Entry(
            ChecklistTopic.PRECISION, "switch", switches[0].place, tuple(switches), "; ".join(documented[:1])
        )
