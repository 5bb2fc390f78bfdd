"""Work in slices: never at the same time as anything else, and given up without a trace."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from language_client import InnerClient

from mindport.lsp import folder as folder_module
from mindport.lsp import searcher as searcher_module
from mindport.lsp.slices import Pause, Sliced
from mindport.usage.project import Project

PENALTY = """\
import torch


def penalty(x):
    y = torch.cdist(x, x)
    return torch.autograd.grad(y, x, create_graph=True)
"""


def test_work_goes_on_only_while_it_is_waited_for() -> None:
    done: list[int] = []

    def work(pause: Pause) -> None:
        for number in range(5):
            done.append(number)
            pause()

    run = Sliced(work)
    assert not done
    steps = 0
    while run.step(0.0):
        steps += 1
        seen = list(done)
        time.sleep(0.01)
        assert done == seen == list(range(steps))
    assert done == list(range(5)) and not run.step(0.0)


def test_short_work_needs_one_step() -> None:
    assert not Sliced(lambda pause: [pause() for _ in range(1000)]).step(60.0)


def test_an_error_comes_out_where_it_is_waited_for() -> None:
    def work(pause: Pause) -> None:
        pause()
        raise ValueError("here")

    run = Sliced(work)
    assert run.step(0.0)
    with pytest.raises(ValueError, match="here"):
        run.step(0.0)


@pytest.mark.parametrize("steps", [0, 1, 2])
def test_work_that_is_given_up_ends(steps: int) -> None:
    ended: list[bool] = []

    def work(pause: Pause) -> None:
        try:
            for _ in range(10):
                try:
                    pause()
                except Exception:  # noqa: BLE001  what the work catches itself must not keep it going
                    continue
        finally:
            ended.append(True)

    before = threading.active_count()
    run = Sliced(work)
    for _ in range(steps):
        run.step(0.0)
    run.stop()
    assert len(ended) == min(steps, 1) and not run.step(0.0)
    run.stop()
    limit = time.monotonic() + 5
    while threading.active_count() > before and time.monotonic() < limit:
        time.sleep(0.001)
    assert threading.active_count() == before


def test_deep_work_has_room() -> None:
    def depth(left: int) -> int:
        return 0 if left == 0 else 1 + max([depth(left - 1)])

    found: list[int] = []
    Sliced(lambda pause: found.append(depth(3000))).step(60.0)
    assert found == [3000]


def links(project: Project) -> list[tuple[str, int]]:
    return [(link.use.api, link.use.span.line) for link in project.second_order_links("a.py")]


def searched_in_slices(project: Project, between: Callable[[int], None] = lambda _: None) -> int:
    run, steps = Sliced(project.search_links), 0
    while run.step(0.0):
        steps += 1
        between(steps)
    return steps


def test_a_search_in_slices_finds_what_one_at_once_finds() -> None:
    at_once, in_slices = Project(), Project()
    at_once.add("a.py", PENALTY)
    in_slices.add("a.py", PENALTY)
    assert searched_in_slices(in_slices) > 1 and in_slices.has_current_links
    assert links(in_slices) == links(at_once) != []


@pytest.mark.parametrize("step", [1, 2, 3])
def test_an_edit_during_a_search_is_not_lost(step: int) -> None:
    project = Project()
    project.add("a.py", PENALTY)

    def between(steps: int) -> None:
        if steps == step:
            project.add("a.py", "# 梯度 🚀\n" + PENALTY)

    assert searched_in_slices(project, between) >= step
    assert not project.has_current_links
    fresh = Project()
    fresh.add("a.py", "# 梯度 🚀\n" + PENALTY)
    assert links(project) == links(fresh) != []


def test_a_search_that_is_given_up_leaves_things_as_they_were() -> None:
    project = Project()
    project.add("a.py", PENALTY)
    run = Sliced(project.search_links)
    assert run.step(0.0)
    run.stop()
    assert not project.has_current_links
    assert links(project)


@pytest.mark.thorough
def test_requests_are_answered_during_a_search(
    client: InnerClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hover comes between two slices of a search at rest, and an edit gives the search up."""
    monkeypatch.setattr(folder_module, "_SHORT_SECONDS", -1.0)
    monkeypatch.setattr(searcher_module, "SLICE_SECONDS", 0.0)
    hovers: list[bool] = []
    search = Project.search_links

    def watched(project: Project, pause: Pause = lambda: None) -> None:
        search(project, lambda: (hovers.append(False), pause())[1])

    monkeypatch.setattr(Project, "search_links", watched)
    uri = (tmp_path / "a.py").as_uri()
    client.start()
    client.open(uri, PENALTY)
    assert any(one["code"].startswith("MP2") for one in client.published(uri))
    client.change(uri, 2, {"text": PENALTY.replace("create_graph=True", "create_graph=False")})
    client.published(uri, 2)
    pauses = len(hovers)
    while len(hovers) == pauses:  # until the search at rest is under way
        assert client.hover(uri, 4, 14) is not None
    during = len(hovers)
    assert client.hover(uri, 4, 14) is not None
    client.change(uri, 3, {"text": PENALTY.replace("create_graph=True", "create_graph=None")})
    assert during > pauses
    while any(one["code"].startswith("MP2") for one in client.published(uri, 3)):
        pass
