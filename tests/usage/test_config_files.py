"""YAML and JSON that are looked through for settings: what is built to take long is left out, what people write is
not."""

from __future__ import annotations

import time

import pytest

from mindport.usage.recipe.config_files import settings_trees


def nested(levels: int, width: int) -> str:
    """Lists of lists, each an alias of the one before: small, and endless when it is written out."""
    more = (f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * width)}]\n" for i in range(1, levels))
    return "a0: &a0 [x]\n" + "".join(more)


LEFT_OUT = {
    "brackets.yaml": "a: " + "[" * 100_000,
    "few brackets.yaml": "a: " + "[" * 3000 + "]" * 3000,
    "braces.yaml": "a: " + "{a: " * 5000,
    "brackets.json": "[" * 60_000,
    "closed.json": "[" * 5000 + "]" * 5000,
    "dashes.yaml": "- " * 5000 + "x",
    "questions.yaml": "? " * 5000 + "x",
    "large.yaml": "".join(f"k{i}: {i}\n" for i in range(10_000)),
    "large.json": "{" + ", ".join(f'"k{i}": {i}' for i in range(10_000)) + "}",
    "no.yaml": "a: [",
    "no.json": "{",
    "digits.json": "9" * 5000,
}

READ = {
    "plain.yaml": "lr: 0.1\nmodel:\n  depth: [3, 4, [6, {a: 3}]]\n",
    "long.yaml": "names: [" + "a, " * 10_000 + "b]\n",
    "brackets in text.yaml": "pattern: '" + "[a-z]" * 500 + "'\n",
    "dashes in text.yaml": "line: x " + "- " * 100 + "\n",
    "run.yaml": 'a: !!python/object/apply:os.system ["false"]',
    "deep.json": '{"a": ' * 20 + "1" + "}" * 20,
    "aliases.yaml": nested(40, 9),
    "itself.yaml": "a: &a [*a, *a]\n",
    "merged.yaml": "a: &a\n  x: 1\nb:\n  <<: [*a, *a]\n",
}


@pytest.mark.parametrize("name", [*LEFT_OUT, *READ])
def test_what_is_read(name: str) -> None:
    started = time.monotonic()
    found = [path for path, _, _ in settings_trees({name: {**LEFT_OUT, **READ}[name]})]
    assert found == [name] * (name in READ)
    assert time.monotonic() - started < 10


@pytest.mark.thorough
def test_there_is_an_end_to_many_files() -> None:
    text = "".join(f"k{i}: {i}\n" for i in range(5500))
    found = [path for path, _, _ in settings_trees({f"{i:02}.yaml": text for i in range(20)})]
    assert 10 < len(found) < 16
    assert "z.json" in [path for path, _, _ in settings_trees({"a.yaml": "#" * 65_000, "z.json": "{}"})]
