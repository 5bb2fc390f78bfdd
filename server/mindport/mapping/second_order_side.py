"""What judging a second order asks the facts for."""

from __future__ import annotations

from typing import Protocol

from mindport.model.target import Version
from mindport.registry.bprops import Chain, CompiledVariant, Measurement


class SecondOrderSide(Protocol):
    """What the judgement asks the facts for; `registry.bprops.SecondOrderFacts` fits."""

    @property
    def collected_version(self) -> Version:
        """The version whose registry was read."""

    @property
    def measured_version(self) -> Version | None:
        """The version that was measured, if any."""

    def measured(self, api: str) -> tuple[Measurement, ...]:
        """What was measured of an API alone."""

    def measured_together(self, api: str) -> tuple[Measurement, ...]:
        """What was measured of an API with others."""

    def compiled(self, api: str) -> tuple[CompiledVariant, ...]:
        """What compiling said of each variant of an API."""

    def emitters(self, operator: str) -> tuple[str, ...]:
        """The operators whose bprop may emit this one."""

    def chain(self, api: str) -> tuple[Chain, ...]:
        """The operators of each variant of an API, with what their bprops emit."""
