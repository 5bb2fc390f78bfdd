"""The findings about training steps that cannot be converted."""

from __future__ import annotations

from mindport.check.engine import Engine
from mindport.model.finding import Finding
from mindport.rewrite.training.rewrites import training_rewrites
from mindport.rules.training_step import RULE, message
from mindport.usage.api_use import FileUsage


def training_findings(text: str, usage: FileUsage, engine: Engine) -> list[Finding]:
    """One finding for each function with such a step, at the statement that keeps it from being converted."""
    target = engine.target
    refusals = training_rewrites(text, usage, target).refusals
    with engine.speaking():
        return [
            Finding(RULE.code, RULE.severity_in(target.mode), refusal.span, message(refusal.reason, target))
            for refusal in refusals
        ]
