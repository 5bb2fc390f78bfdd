"""Parameters that torch no longer has and code still passes, so that a call with one can be ported."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from mindport.registry.signature import Parameter, Signature

_SCHEDULES = "torch.optim.lr_scheduler"
_NEVER_HAD_IT = "torch.optim.lr_scheduler.ChainedScheduler"
# It stood last, and had each new rate printed; torch 2.13 refuses it.
_VERBOSE = Parameter("verbose", default="False", annotation="bool", accepts=("bool",))


def with_former_parameters(name: str, signatures: Sequence[Signature]) -> tuple[Signature, ...]:
    """The signatures of a function or class with the parameters that it once had besides."""
    owner, _, last = name.rpartition(".")
    if owner != _SCHEDULES or not last[:1].isupper() or name == _NEVER_HAD_IT:
        return tuple(signatures)
    return tuple(
        one
        if one.parameter(_VERBOSE.name) is not None
        else msgspec.structs.replace(one, parameters=(*one.parameters, _VERBOSE))
        for one in signatures
    )
