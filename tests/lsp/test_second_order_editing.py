"""Second-order gradients in the editor: where they come from, what is known, and what helps."""

from __future__ import annotations

import ast
import shutil
from pathlib import Path

import pytest
from language_client import InnerClient, applied, edits_of, place

from mindport.lsp import folder as folder_module

SAMPLES = Path(__file__).parent.parent / "sample"
ABILITIES = {
    "textDocument": {
        "hover": {"contentFormat": ["markdown"]},
        "publishDiagnostics": {"relatedInformation": True},
        "codeAction": {"resolveSupport": {"properties": ["edit"]}},
    },
    "workspace": {"workspaceEdit": {"documentChanges": True}},
}


@pytest.fixture
def opened(client: InnerClient, tmp_path: Path):
    """Opens the critic of a sample; its folder, its URI and what is published of it."""

    def open_critic(sample: str):
        folder = tmp_path / sample
        shutil.copytree(SAMPLES / sample, folder)
        (folder / "pyproject.toml").write_text("[tool.mindport]\n")
        uri = (folder / "critic.py").as_uri()
        client.start(ABILITIES)
        client.open(uri, (folder / "critic.py").read_text())
        found = [one for one in client.published(uri) if one["code"].startswith("MP2")]
        return folder, uri, found

    return open_critic


def test_related_places_are_in_the_other_files(opened) -> None:
    folder, uri, found = opened("wgan")
    (flatten,) = [one for one in found if one["code"] == "MP202"]
    assert flatten["severity"] == 1 and flatten["range"]["start"]["line"] == 24
    related = [
        (one["location"]["uri"], one["location"]["range"]["start"]["line"])
        for one in flatten["relatedInformation"]
    ]
    penalty = (folder / "penalty.py").as_uri()
    assert related == [(penalty, 9), (penalty, 8), (uri, 29)]


def test_hover_shows_four_lines(client: InnerClient, opened) -> None:
    folder, uri, _ = opened("wgan")
    text = (folder / "critic.py").read_text().split("\n")
    card = client.hover(uri, 24, text[24].index("Flatten") + 2)["contents"]["value"]
    lines = [line[2:].partition(":")[0] for line in card.split("\n") if line.startswith("- ")]
    assert lines[-4:] == ["Registry", "Measured", "Hazard", "Caveat"]
    assert "PyNative wrong, graph mode right" in card and "`mindspore.nn.Flatten`" in card
    # Layers that no gradient of a gradient goes through have none of it.
    line = next(number for number, one in enumerate(text) if "class Critic" in one)
    other = client.hover(uri, line, text[line].index("Module") + 2)
    assert "Second-order" not in other["contents"]["value"]


def test_the_inner_gradient_is_put_under_jit_in_its_own_file(client: InnerClient, opened) -> None:
    folder, uri, found = opened("wgan_ported")
    (flatten,) = [one for one in found if one["code"] == "MP202"]
    start = flatten["range"]["start"]
    actions = client.actions(uri, place(start["line"], start["character"] + 1))
    (action,) = [one for one in actions if "under `mindspore.jit`" in one["title"]]
    assert action["title"].endswith("(unsafe)") and not action.get("isPreferred")
    resolved = client.result("codeAction/resolve", action)
    penalty = folder / "penalty.py"
    edits = edits_of(resolved, penalty.as_uri())
    assert "ms.jit(ms.grad(score))(mixed)" in applied(penalty.read_text(), edits)
    card = client.hover(uri, start["line"], start["character"] + 4)["contents"]["value"]
    assert card.startswith("**Second-order gradient** of `mindspore.nn.Flatten`")


@pytest.mark.thorough
def test_an_edit_of_the_penalty_shows_at_the_critic(client: InnerClient, opened) -> None:
    folder, uri, found = opened("wgan")
    assert found
    penalty = folder / "penalty.py"
    text = penalty.read_text()
    client.open(penalty.as_uri(), text)
    client.published(penalty.as_uri())
    client.change(penalty.as_uri(), 2, {"text": text.replace("create_graph=True", "create_graph=False")})
    while any(one["code"] == "MP202" for one in client.published(uri)):
        pass


def test_equal_expressions_are_offered(client: InnerClient, tmp_path: Path) -> None:
    text = (
        "import mindspore as ms\nfrom mindspore import mint\n\n\ndef f(x):\n"
        "    return mint.nn.functional.gelu(x + 1) * 2\n\n\nh = ms.grad(ms.grad(f))\n"
    )
    uri = (tmp_path / "a.py").as_uri()
    client.start(ABILITIES)
    client.open(uri, text)
    found = client.published(uri)
    assert "MP201" in {one["code"] for one in found}
    actions = client.actions(uri, place(5, 20))
    (action,) = [one for one in actions if one["title"].startswith("Replace by `ops.gelu")]
    changed = applied(text, edits_of(client.result("codeAction/resolve", action), uri))
    assert "    return ms.ops.gelu(x + 1, approximate='none') * 2\n" in changed


POOLED = """\
import mindspore as ms
from mindspore import nn, ops

pool = {layer}  # 池化 🚀


def f(x):
    return {expression} * 2


h = ms.grad(ms.grad(f))
"""


@pytest.mark.parametrize(
    ("layer", "expression", "written", "defined"),
    [
        (
            "nn.MaxPool2d(2, 2)",
            "pool(x)",
            "MaxPool2dBySlices(2, 2)",
            ["max_pool2d_by_slices", "MaxPool2dBySlices"],
        ),
        (
            "nn.MaxPool2d(2)",
            "pool(x)",
            "MaxPool2dBySlices(2, 1)",
            ["max_pool2d_by_slices", "MaxPool2dBySlices"],
        ),
        (
            "nn.AvgPool2d(3, 2)",
            "pool(x)",
            "AvgPool2dBySlices(3, 2)",
            ["avg_pool2d_by_slices", "AvgPool2dBySlices"],
        ),
        ("nn.AdaptiveAvgPool2d(1)", "pool(x)", "GlobalAvgPool2d()", ["GlobalAvgPool2d"]),
        ("nn.AdaptiveAvgPool2d((1, 1))", "pool(x)", "GlobalAvgPool2d()", ["GlobalAvgPool2d"]),
        ("None", "ops.max_pool2d(x, 2)", "max_pool2d_by_slices(x, 2, None)", ["max_pool2d_by_slices"]),
        (
            "None",
            "ops.avg_pool2d(x - 1, 2, 2)",
            "avg_pool2d_by_slices(x - 1, 2, 2)",
            ["avg_pool2d_by_slices"],
        ),
        ("None", "ops.adaptive_avg_pool2d(x, 1)", "x.mean((-2, -1), keep_dims=True)", []),
        (
            "nn.MaxPool2d(2, 2, pad_mode='pad', padding=1)",
            "pool(x)",
            "MaxPool2dBySlices(2, 2, 1)",
            ["max_pool2d_by_slices", "MaxPool2dBySlices"],
        ),
        (
            "nn.AdaptiveAvgPool2d((1, 2))",
            "pool(x)",
            "AdaptiveAvgPool2dByWeights((1, 2))",
            ["adaptive_avg_pool2d_by_weights", "AdaptiveAvgPool2dByWeights"],
        ),
        (
            "None",
            "ops.max_pool2d(x, 2, padding=1)",
            "max_pool2d_by_slices(x, 2, None, 1)",
            ["max_pool2d_by_slices"],
        ),
        (
            "None",
            "ops.adaptive_avg_pool2d(x - 1, (None, 1))",
            "adaptive_avg_pool2d_by_weights(x - 1, (None, 1))",
            ["adaptive_avg_pool2d_by_weights"],
        ),
        # What has no equal, and what is not known.
        ("nn.MaxPool2d(2, 2, pad_mode='same')", "pool(x)", None, []),
        ("nn.MaxPool2d(2, 2, ceil_mode=flag)", "pool(x)", None, []),
        ("None", "ops.max_pool2d(x, 2, **more)", None, []),
        ("None", "ops.avg_pool2d(x, 2, ceil_mode=True)", None, []),
    ],
)
def test_pooling_is_written_by_slices(
    client: InnerClient, tmp_path: Path, layer: str, expression: str, written: str | None, defined: list[str]
) -> None:
    text = POOLED.format(layer=layer, expression=expression)
    uri = (tmp_path / "a.py").as_uri()
    client.start()
    client.open(uri, text)
    client.published(uri)
    old = expression if layer == "None" else layer
    where = next((number, line.index(old)) for number, line in enumerate(text.split("\n")) if old in line)
    actions = [
        one for one in client.actions(uri, place(where[0], where[1] + 5)) if "Replace by" in one["title"]
    ]
    if written is None:
        assert not actions
        return
    (action,) = actions
    changed = applied(text, edits_of(action, uri))
    tree = ast.parse(changed)
    names = [one.name for one in tree.body if isinstance(one, (ast.ClassDef, ast.FunctionDef))]
    assert names == [*defined, "f"]
    assert text.replace(old, written).split("\n\n", 1)[1].strip() in changed


PENALTY = """\
import torch


def penalty(x):
    y = torch.cdist(x, x)
    return torch.autograd.grad(y, x, create_graph=True)
"""
PULLS = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}
PULLS_ALONE = {"textDocument": {"diagnostic": {}}}


def second_order(found: list[dict[str, object]]) -> bool:
    return any(str(one["code"]).startswith("MP2") for one in found)


@pytest.mark.thorough
@pytest.mark.parametrize("abilities", [{}, PULLS, PULLS_ALONE], ids=["pushed", "pulled", "pulled alone"])
def test_a_long_search_is_made_up_for_when_the_user_rests(
    client: InnerClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, abilities: dict[str, object]
) -> None:
    monkeypatch.setattr(folder_module, "_SHORT_SECONDS", -1.0)
    uri = (tmp_path / "a.py").as_uri()
    pulls = bool(abilities)

    def diagnostics(version: int) -> list[dict[str, object]]:
        if not pulls:
            return client.published(uri, version)
        return client.result("textDocument/diagnostic", {"textDocument": {"uri": uri}})["items"]

    client.start(abilities)
    client.open(uri, PENALTY)
    assert second_order(diagnostics(1))
    client.change(uri, 2, {"text": PENALTY.replace("create_graph=True", "create_graph=False")})
    if abilities is PULLS_ALONE:
        # Nobody could tell it later.
        assert not second_order(diagnostics(2))
        return
    assert second_order(diagnostics(2))
    if pulls:
        client.wait(lambda message: message.get("method") == "workspace/diagnostic/refresh")
    assert not second_order(diagnostics(2))


CRITIC = "class Critic:\n    def __call__(self, x):\n        return (x.reshape(-1) ** 2).sum()\n"
SAID = {
    "ascii": "'plain'; ",
    "emoji": "'🚀🚀'; ",
    "chinese": "'梯度惩罚'; ",
    "both": "'🚀 梯度'; ",
}
FAR_PENALTY = """\
import torch
from critic import Critic

critic = Critic()


def penalty(x):
    {said}y = critic(x)
    {said}return torch.autograd.grad(y, x, create_graph=True)
"""


def units(text: str, encoding: str) -> int:
    """The length of a text as a client counts it, by its own codec."""
    codec = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}[encoding]
    return len(text.encode(codec)) // {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
@pytest.mark.parametrize("said", SAID)
@pytest.mark.parametrize("is_open", [False, True], ids=["on the disk", "open"])
def test_columns_of_places_in_other_files(
    client: InnerClient, tmp_path: Path, encoding: str, said: str, is_open: bool
) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.mindport]\n")
    (tmp_path / "critic.py").write_text(CRITIC)
    text = FAR_PENALTY.format(said=SAID[said])
    # An open document counts, whatever lies on the disk.
    on_disk = text if not is_open else FAR_PENALTY.format(said="")
    (tmp_path / "penalty.py").write_text(on_disk, encoding="utf-8")
    uri, penalty = (tmp_path / "critic.py").as_uri(), (tmp_path / "penalty.py").as_uri()
    client.start({**ABILITIES, "general": {"positionEncodings": [encoding]}})
    if is_open:
        client.open(penalty, text)
        client.published(penalty)
    client.open(uri, CRITIC)
    found = [one for one in client.published(uri) if one["code"].startswith("MP2")]
    assert found
    lines = text.split("\n")
    for one in found:
        places = [related["location"] for related in one["relatedInformation"]]
        for where, expression in zip(
            places, ("torch.autograd.grad(y, x, create_graph=True)", "critic(x)"), strict=True
        ):
            assert where["uri"] == penalty
            line = lines[where["range"]["start"]["line"]]
            before = line[: line.index(expression)]
            assert where["range"]["start"]["character"] == units(before, encoding)
            assert where["range"]["end"]["character"] == units(before + expression, encoding)


@pytest.mark.thorough
def test_columns_follow_an_edit_of_the_other_file(client: InnerClient, tmp_path: Path) -> None:
    (tmp_path / "critic.py").write_text(CRITIC)
    text = FAR_PENALTY.format(said="'ab'; ")
    uri, penalty = (tmp_path / "critic.py").as_uri(), (tmp_path / "penalty.py").as_uri()
    client.start(ABILITIES)
    client.open(penalty, text)
    client.published(penalty)
    client.open(uri, CRITIC)
    (first,) = [one for one in client.published(uri) if one["code"] == "MP202"]
    start = first["relatedInformation"][0]["location"]["range"]["start"]["character"]
    # As many characters as before, but two code units more.
    client.change(penalty, 2, {"text": FAR_PENALTY.format(said="'🚀🚀'; ")})
    while True:
        (found,) = [one for one in client.published(uri) if one["code"] == "MP202"]
        if found["relatedInformation"][0]["location"]["range"]["start"]["character"] == start + 2:
            break
