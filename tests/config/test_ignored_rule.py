"""One rule more in `ignore` of a pyproject.toml, and nothing else changed."""

from __future__ import annotations

import pytest

from mindport.config.ignored_rule import with_ignored_rule

CASES = [
    ("", '[tool.mindport]\nignore = ["MP101"]\n'),
    ("[project]\nname = 'a'\n", "[project]\nname = 'a'\n\n[tool.mindport]\nignore = [\"MP101\"]\n"),
    ("[project]\r\n", '[project]\r\n\r\n[tool.mindport]\r\nignore = ["MP101"]\r\n'),
    ("[tool.mindport]\n", '[tool.mindport]\nignore = ["MP101"]\n'),
    ("[tool.mindport]", '[tool.mindport]\nignore = ["MP101"]\n'),
    (
        '[tool.mindport]  # ours\ndevice = "CPU"\n[tool.x]\nignore = ["A"]\n',
        '[tool.mindport]  # ours\nignore = ["MP101"]\ndevice = "CPU"\n[tool.x]\nignore = ["A"]\n',
    ),
    (
        '[tool.mindport]\nignore = ["MP112"]  # why\n',
        '[tool.mindport]\nignore = ["MP112", "MP101"]  # why\n',
    ),
    ("[tool.mindport]\nignore = []\n", '[tool.mindport]\nignore = ["MP101"]\n'),
    ('[tool.mindport]\nignore = ["MP112",]\n', '[tool.mindport]\nignore = ["MP112", "MP101",]\n'),
    (
        '[tool.mindport]\nignore = [\n  "MP112",\n  "MP7",\n]\n',
        '[tool.mindport]\nignore = [\n  "MP112",\n  "MP7",\n  "MP101",\n]\n',
    ),
    (
        '[tool.mindport.per-file-ignores]\n"a" = ["MP1"]\n',
        '[tool.mindport.per-file-ignores]\n"a" = ["MP1"]\n\n[tool.mindport]\nignore = ["MP101"]\n',
    ),
]


@pytest.mark.parametrize(("before", "after"), CASES)
def test_one_code_is_added(before: str, after: str) -> None:
    assert with_ignored_rule(before, "MP101") == after


@pytest.mark.parametrize(
    "content",
    [
        '[tool.mindport]\nignore = ["MP101"]\n',
        "[tool.mindport]\nignore = [\n  # one\n  'MP112', # ]\n]\n",  # a bracket in a comment
        'tool = {mindport = {device = "CPU"}}\n',
        '[tool]\nmindport.device = "CPU"\n',
        'x = """\n[tool.mindport]\n"""\n',
        "[tool.mindport\n",
        '[tool.mindport]\nignore = "MP1"\n',
    ],
)
def test_what_cannot_be_changed_alone_stays(content: str) -> None:
    assert with_ignored_rule(content, "MP101") is None
