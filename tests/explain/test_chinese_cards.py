"""Cards in Chinese: nothing of them is left in English, and English ones do not change beside them."""

from __future__ import annotations

import re

import pytest
from snippet import CPU, HEADER, Kind, usage_of

from mindport.explain.card import api_card
from mindport.explain.name_page import api_page
from mindport.mapping.index import load_index
from mindport.mapping.judge import judge
from mindport.model.language import Translations, speaking
from mindport.registry.mindspore import mindspore_facts
from mindport.registry.texts import translations
from mindport.registry.torch import torch_facts

COMMON = [
    "nn.Linear(3, 4)",
    "nn.Conv2d(3, 8, 3, padding=1)",
    "nn.BatchNorm2d(8)",
    "nn.LayerNorm(8)",
    "nn.Dropout(0.1)",
    "nn.Embedding(10, 3)",
    "nn.CrossEntropyLoss()",
    "nn.MaxPool2d(2)",
    "nn.Sequential(x)",
    "nn.GELU()",
    "F.dropout(x, 0.1)",
    "F.interpolate(x, scale_factor=n)",
    "F.pad(x, (1, 1))",
    "torch.cat([x, x], dim=1)",
    "torch.zeros(2, 3)",
    "torch.arange(n)",
    "torch.where(x > 0)",
    "torch.einsum('ij,jk->ik', x, x)",
    "torch.no_grad()",
    "torch.tensor(n, requires_grad=True)",
    "x.transpose(0, 1)",
    "x.masked_fill(x > 0, 1)",
    "x.view(-1)",
    "x.requires_grad",
]
# Three words of prose: what stands in code marks, links and names is not.
ENGLISH = re.compile(r"(?<![\w.'=])[A-Za-z][a-z]+ [a-z]+ [a-z]+(?![\w.(=])")


def card(source: str, language: Translations | None) -> str:
    use = usage_of(f"{HEADER}{source}\n", {"x": Kind.TENSOR, "n": Kind.INT}).uses[0]
    with speaking(language):
        judgement = judge(use, CPU, load_index(), torch_facts(), mindspore_facts(CPU.version))
        return api_card(judgement, use, CPU)


def prose(text: str) -> str:
    return re.sub(r"`[^`]*`|\[[^\]]*\]\([^)]*\)|\"[^\"]*\"", "", text)


@pytest.mark.parametrize("source", COMMON)
def test_nothing_of_a_chinese_card_is_english(source: str) -> None:
    text = card(source, translations("zh-cn"))
    assert "目标：MindSpore 2.10.0（CPU），PyNative 模式。" in text
    assert ENGLISH.findall(prose(text)) == [], text


@pytest.mark.parametrize("source", COMMON[:6])
def test_the_languages_do_not_mix(source: str) -> None:
    """What is remembered of a name in one language is not said in another."""
    before = card(source, None)
    assert card(source, translations("zh-cn")) != before
    assert card(source, None) == before
    assert before.isascii()
    assert ENGLISH.search(prose(before))


def test_code_is_the_same_in_both() -> None:
    codes = [
        re.search(r"`[^`]+`", card("torch.cat([x, x], dim=1)", one)) for one in (None, translations("zh-cn"))
    ]
    assert [code and code[0] for code in codes] == ["`ops.cat(tensors, axis=1)`"] * 2


def test_pages_of_names() -> None:
    with speaking(translations("zh-cn")):
        page = api_page("torch.nn.Dropout", CPU)
    assert page is not None
    assert "静默差异" in page
    assert "https://www.mindspore.cn/docs/zh-CN/" in page
