"""Typing: however a text came about, its diagnostics are those of a fresh document; and while a part of it does not
parse, the rest keeps what it had."""

from __future__ import annotations

import ast
import json
import random
from typing import Any

import pytest
from lsprotocol import types
from lsprotocol.converters import get_converter

from mindport.checking.analysis import analyse
from mindport.checking.engine import Assessment, Engine
from mindport.checking.file_report import check_file
from mindport.lsp import folder as folder_module
from mindport.lsp.client import abilities_of
from mindport.lsp.document import Document
from mindport.lsp.editor_settings import EditorSettings
from mindport.lsp.positions import PositionEncoding, to_client
from mindport.lsp.session import Session
from mindport.lsp.slices import Pause
from mindport.model.finding import Finding
from mindport.source.lines import lines_with_ends
from mindport.source.text import SourceText
from mindport.usage.api_use import ApiUse
from mindport.usage.project import Project

pytestmark = pytest.mark.filterwarnings("ignore::SyntaxWarning")
URI = "untitled:model"
TEXT = '''\
import torch
from torch import nn
import torch.nn.functional as F


class Block(nn.Module):
    """块 🧱"""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.BatchNorm2d(width)
        self.scale = nn.Parameter(torch.ones(width))

    def forward(self, x):
        y = self.norm(x).view(x.size(0), -1)
        return F.relu(y) * self.scale, torch.std(y)


def loss(block: Block, x: torch.Tensor):
    out, spread = block(x)
    return torch.cat([out, out], dim=1).sum() + spread.no_grad()


def train(data):
    block = Block(3)
    for x in data:
        with torch.no_grad():
            print(loss(block, torch.as_tensor(x)), "张量 🚀", torch.no_such_name)
'''
FRAGMENTS = [
    *("\n", "\n\n", "    ", "x", "(", ")", "'", '"""', "#", ":", "🚀", "张", "\r\n", "\x0c", "if", "del y"),
    *("torch.cat([x])", "import numpy as np\n", ".view(2)", "class A(nn.Module):\n    pass\n"),
    "def g(x):\n    return torch.std(x)\n",
]


def session(encoding: str = "utf-16") -> Session:
    """A session that shows all findings."""
    params = {"capabilities": {"general": {"positionEncodings": [encoding]}}}
    abilities = abilities_of(get_converter().structure(params, types.InitializeParams))
    settings = {"device": "CPU", "target-version": "2.10.0", "show-hints": True}
    return Session(abilities, EditorSettings(settings), lambda kind, text: None)


def opened(session: Session, text: str, uri: str = URI) -> Document:
    return session.open(types.TextDocumentItem(uri=uri, language_id="python", version=1, text=text))


def random_change(source: random.Random, text: str) -> tuple[int, int, str]:
    """Offsets and new text of an edit, often a small one."""
    start = source.randrange(len(text) + 1)
    end = min(len(text), start + source.choice([0, 0, 0, 1, 3, 20, 120]))
    return start, end, source.choice([*FRAGMENTS, ""])


def event(text: str, start: int, end: int, new: str, encoding: PositionEncoding) -> Any:
    """The edit as a client sends it."""
    lines = lines_with_ends(text)
    # An editor has no place between a carriage return and its line feed, nor behind a lone one inside a line.
    return types.TextDocumentContentChangePartial(
        types.Range(_position(lines, start, encoding), _position(lines, end, encoding)), new
    )


def _position(lines: list[str], offset: int, encoding: PositionEncoding) -> types.Position:
    for number, line in enumerate(lines):
        if offset < len(line) or number == len(lines) - 1:
            return types.Position(number, to_client(line, offset, encoding))
        offset -= len(line)
    raise AssertionError("a text has at least one line")


def is_between_line_end(text: str, offset: int) -> bool:
    return text[offset - 1 : offset + 1] == "\r\n"


@pytest.mark.parametrize("encoding", list(PositionEncoding))
@pytest.mark.parametrize("seed", range(3))
def test_text_follows_random_changes(encoding: PositionEncoding, seed: int) -> None:
    source = random.Random(seed)
    text = TEXT.replace("\n", source.choice(["\n", "\r\n", "\r"]))
    document = Document(URI, 1, text)
    for version in range(2, 150):
        start, end, new = random_change(source, text)
        if is_between_line_end(text, start) or is_between_line_end(text, end):
            continue
        document.change([event(text, start, end, new, encoding)], version, encoding)
        text = text[:start] + new + text[end:]
        assert document.text == text
        assert document.lines == lines_with_ends(text)
        assert "".join(document.lines) == text


def parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True


class Typist:
    """One who edits a document and looks at its diagnostics after each change."""

    def __init__(self, text: str) -> None:
        self.session = session()
        self.document = opened(self.session, text)
        self.text = text

    def replace(self, start: int, end: int, new: str) -> None:
        changes = [event(self.text, start, end, new, PositionEncoding.UTF16)]
        self.document.change(changes, self.document.version + 1, PositionEncoding.UTF16)
        self.text = self.text[:start] + new + self.text[end:]
        self.session.diagnostics_json(self.document)

    def findings(self) -> list[Finding]:
        return list(self.session.analyse(self.document).findings)


@pytest.mark.parametrize(
    "seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.thorough) for seed in range(2, 6))]
)
def test_diagnostics_are_those_of_a_fresh_document(seed: int) -> None:
    source = random.Random(seed)
    typist = Typist(TEXT)
    compared = 0
    for step in range(40):
        before = typist.text
        start, end, new = random_change(source, before)
        if is_between_line_end(before, start) or is_between_line_end(before, end):
            continue
        typist.replace(start, end, new)
        # Half of the edits are taken back, so that the text parses often.
        if step % 2 and not (
            is_between_line_end(typist.text, start) or is_between_line_end(typist.text, start + len(new))
        ):
            typist.replace(start, start + len(new), before[start:end])
        if step % 5 == 4 and not parses(typist.text):
            typist.replace(0, len(typist.text), TEXT)
        if parses(typist.text):
            fresh = Typist(typist.text)
            assert faces(typist.findings()) == faces(fresh.findings()) == faces(checked(typist))
            compared += 1
    assert compared >= 8


def test_a_key_judges_only_what_it_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = "".join(
        TEXT[TEXT.index("class Block") :].replace("Block", f"Block{number}") for number in range(30)
    )
    typist = Typist(TEXT + blocks)
    typist.session.diagnostics_json(typist.document)
    judged: list[str] = []
    assess = Engine.assess

    def counted(engine: Engine, use: ApiUse) -> Assessment:
        judged.append(use.api)
        return assess(engine, use)

    monkeypatch.setattr(Engine, "assess", counted)
    place = typist.text.index("return F.relu(y)", len(typist.text) // 2)
    for letter in "z = torch.std(x); ":
        judged.clear()
        typist.replace(place, place, letter)
        place += 1
        # The method at hand has a dozen uses, the file some six hundred.
        assert len(judged) < 40
    assert len(typist.session.analyse(typist.document).usage.uses) > 500


def test_suppression_counts_while_typing() -> None:
    typist = Typist(TEXT)
    before = len(typist.findings())
    end = typist.text.index("torch.std(y)") + len("torch.std(y)")
    for offset, letter in enumerate("  # mindport: ignore"):
        typist.replace(end + offset, end + offset, letter)
    assert len(typist.findings()) < before
    typist.replace(end, end + len("  # mindport: ignore"), "")
    assert len(typist.findings()) == before


def test_columns_follow_what_is_typed_before_them() -> None:
    typist = Typist('import torch\n\n\ndef f(x):\n    "a"; return torch.std(x)\n')
    place = typist.text.index('a"; return')

    def columns() -> list[int]:
        found = json.loads(typist.session.diagnostics_json(typist.document))
        return [one["range"]["start"]["character"] for one in found if one["range"]["start"]["line"] == 4]

    assert columns() == [16]
    typist.replace(place, place + 1, "🚀")  # one character, and two units
    assert columns() == [17]
    typist.replace(place, place + 1, "a")
    assert columns() == [16]


def checked(typist: Typist) -> list[Finding]:
    """What the command line says of the same analysis."""
    folder = typist.session.folder_of(typist.document)
    typist.session.analyse(typist.document)
    path = typist.document.path
    file = analyse(path, SourceText(path, typist.text), folder.project, folder.target)
    return list(check_file(file, typist.text, folder.engine, folder.rules).findings)


def faces(found: list[Finding]) -> list[tuple[object, ...]]:
    """What the user sees of findings."""
    return [(one.rule, one.span, one.message) for one in found]


@pytest.mark.parametrize(
    ("behind", "owner", "typed"),
    [
        ("y = self.norm(x).view(x.size(0), -1)", "forward", "y = torch.nn.functional.softmax(x, dim=1)"),
        ("self.norm = nn.BatchNorm2d(width)", "__init__", 'self.name = "张 🚀"'),
        ("out, spread = block(x)", "loss", "return torch.sum((out, "),
        ("block = Block(3)", "train", "if x is not None and ("),
        ("import torch.nn.functional as F", "", "from torch.nn import ("),
        ("import torch.nn.functional as F", "", "x = [[{("),
    ],
)
def test_typing_a_line_keeps_the_findings_of_the_others(behind: str, owner: str, typed: str) -> None:
    line = next(content for content in TEXT.split("\n") if content.strip() == behind)
    indent = line[: len(line) - len(line.lstrip())]
    place = TEXT.index(line) + len(line) + 1
    typist = Typist(f"{TEXT[:place]}{indent}\n{TEXT[place:]}")
    number = TEXT[:place].count("\n") + 1
    spans = [
        (node.lineno, (node.end_lineno or 0) + 1)
        for node in ast.walk(ast.parse(TEXT))
        if isinstance(node, ast.FunctionDef) and node.name == owner
    ]
    first, last = spans[0] if spans else (number, number)

    def others(found: list[Finding]) -> list[tuple[object, ...]]:
        """The findings outside the unit that is edited."""
        return [
            face for one, face in zip(found, faces(found), strict=True) if not first <= one.span.line <= last
        ]

    before = others(typist.findings())
    assert before
    broken = 0
    for column, letter in enumerate(typed, place + len(indent)):
        typist.replace(column, column, letter)
        assert others(typist.findings()) == before
        if not parses(typist.text):
            broken += 1
            assert "MP901" in [one.rule for one in typist.findings()]
    assert broken


PENALTY = """\
import torch
from torch import nn


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        y = self.layer(x)
        return torch.cdist(y, y).sum()


def penalty(critic, x):
    x.requires_grad_(True)
    gradient, = torch.autograd.grad(critic(x), x, create_graph=True)
    return gradient.norm()


def train(data):
    critic = Critic()
    for x in data:
        penalty(critic, x).backward()
"""


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[Project]:
    """Each search for second-order links; all of them count as long."""
    made: list[Project] = []
    search = Project.search_links

    def counted(project: Project, *pause: Pause) -> None:
        made.append(project)
        search(project, *pause)

    monkeypatch.setattr(Project, "search_links", counted)
    monkeypatch.setattr(folder_module, "_SHORT_SECONDS", -1.0)
    return made


def second_order(typist: Typist) -> list[tuple[str, int]]:
    return [(one.rule, one.span.line) for one in typist.findings() if one.rule.startswith("MP2")]


def type_in(typist: Typist, place: int, typed: str) -> None:
    for offset, letter in enumerate(typed, place):
        typist.session.folder_of(typist.document).begin_typing()
        typist.replace(offset, offset, letter)


@pytest.mark.parametrize(
    ("behind", "typed", "lost"),
    [
        ("import torch", "\nimport os\n", None),
        ("super().__init__()", "\n        self.name = (", None),
        ("return torch.cdist(y, y).sum()\n", "\n\ndef f(x):\n    return x\n", None),
        ("penalty(critic, x).backward()\n", "\nx = 1\n", None),
        ("y = self.layer(x)", "\n        z = torch.sin(y)", None),
        ("return torch.cdist(y, y)", ".abs()", "return torch.cdist"),
    ],
)
def test_second_order_findings_stay_on_their_lines_until_a_rest(
    searches: list[Project], behind: str, typed: str, lost: str | None
) -> None:
    typist = Typist(PENALTY)
    before = second_order(typist)
    assert before
    searches.clear()
    place = PENALTY.index(behind) + len(behind)
    type_in(typist, place, typed)
    changed = PENALTY[: place - 1].count("\n") + 1
    lost_line = PENALTY[: PENALTY.index(lost)].count("\n") + 1 if lost else 0
    assert second_order(typist) == [
        (rule, line + (typed.count("\n") if line > changed else 0))
        for rule, line in before
        if line != lost_line
    ]
    assert not searches
    folder = typist.session.folder_of(typist.document)
    assert folder.rest()
    assert faces(typist.findings()) == faces(checked(typist))
    if parses(typist.text):
        assert faces(typist.findings()) == faces(Typist(typist.text).findings())
    assert not folder.rest()


def test_a_gradient_that_is_not_taken_any_more_is_seen_at_the_next_rest(searches: list[Project]) -> None:
    typist = Typist(PENALTY)
    before = second_order(typist)
    typist.session.folder_of(typist.document).begin_typing()
    start = PENALTY.index(", create_graph=True")
    typist.replace(start, start + len(", create_graph=True"), "")
    assert [one for one in second_order(typist) if one in before]
    typist.session.folder_of(typist.document).rest()
    assert not second_order(typist)


def test_a_short_search_is_not_put_off() -> None:
    typist = Typist(TEXT)
    folder = typist.session.folder_of(typist.document)
    typist.session.diagnostics_json(typist.document)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(folder_module, "_SHORT_SECONDS", 1000.0)
        typist.replace(0, 0, "\n")
        type_in(typist, 0, "\n\n")
    assert not folder.rest()


STEPS = """\
import torch
net = torch.nn.Linear(2, 2)


def loss(x):  # 损失 🚀
    net(x).sum().backward()


def update(optimizer):
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("behind", "typed", "lines"),
    [
        ("import torch", "\nimport os\n", [8, 12]),
        ("def loss(x):  # 损失 🚀", "\n    x = (", [7, 11]),
        ("net(x).sum().backward()", "  # 层", [10]),  # one that is typed in is not known
        ("    optimizer.step()", "\n    print(1)", [6, 10]),
    ],
)
def test_training_steps_that_stay_keep_their_lines_until_a_rest(
    monkeypatch: pytest.MonkeyPatch, behind: str, typed: str, lines: list[int]
) -> None:
    monkeypatch.setattr(folder_module, "_SHORT_SECONDS", -1.0)
    typist = Typist(STEPS)

    def steps() -> list[int]:
        return [one.span.line for one in typist.findings() if one.rule == "MP116"]

    assert steps() == [6, 10]
    type_in(typist, STEPS.index(behind) + len(behind), typed)
    assert steps() == lines
    folder = typist.session.folder_of(typist.document)
    assert folder.rest()
    assert faces(typist.findings()) == faces(checked(typist))
    if parses(typist.text):
        assert faces(typist.findings()) == faces(Typist(typist.text).findings())
        assert len(steps()) == 2
    assert not folder.rest()


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.thorough) for seed in range(1, 3))]
)
def test_a_rest_makes_random_edits_exact(searches: list[Project], seed: int) -> None:
    source = random.Random(seed)
    typist = Typist(PENALTY)
    folder = typist.session.folder_of(typist.document)
    compared = 0
    for _ in range(12):
        for _ in range(4):
            folder.begin_typing()
            start, end, new = random_change(source, typist.text)
            before = typist.text
            typist.replace(start, end, new)
            if not parses(typist.text):
                typist.replace(0, len(typist.text), before)
        folder.rest()
        if parses(typist.text):
            assert faces(typist.findings()) == faces(Typist(typist.text).findings()) == faces(checked(typist))
            compared += 1
    assert compared >= 8
