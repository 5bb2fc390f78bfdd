"""What a message says to write in the place of a use."""

import pytest

from mindport.mapping.judgement import Judgement
from mindport.mapping.schema import Case
from mindport.model.target import Device, Target, Version
from mindport.model.verdict import Verdict
from mindport.rules.wording import write_words

TARGET = Target(Version(2, 10), Device.CPU)


@pytest.mark.parametrize(
    ("template", "words"),
    [
        ("$input", "; leave it out"),
        ("$decorated", "; leave it out"),
        ("$input.bool()", "; write `input.bool()`"),
        ("ops.cat($*tensors)", "; write `ops.cat(*tensors)`"),
        ("decorated($input)", "; write `decorated(input)`"),
        (f"ops.{'long_' * 40}($x)", "; the card shows what to write"),
        ("", ""),
    ],
)
def test_words(template: str, words: str) -> None:
    case = Case("differs", rewrite=template)
    assert write_words(Judgement("torch.cat", TARGET, Verdict.DIFFERS, case=case)) == words
