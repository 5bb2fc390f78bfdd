"""The server for agents, spoken to by the SDK's own client over standard input and output: a migration from a check to
a port, and what no agent may do."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.types import TextContent, TextResourceContents

CODE = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        return torch.abs(self.drop(x))
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with a network, in a folder with other things."""
    folder = tmp_path / "project"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "model.py").write_text(CODE)
    (folder / "pyproject.toml").write_text("[tool.mindport]\ntarget-version = '2.10'\ndevice = 'CPU'\n")
    (tmp_path / "secret.py").write_text("import torch\nprint(torch.secret)\n")
    (folder / "link.py").symlink_to(tmp_path / "secret.py")
    # Modules of the user that have the names of Python's own must not be run.
    for name in ("click.py", "json.py", "sitecustomize.py"):
        (folder / name).write_text("raise SystemExit('run')\n")
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "x"]):
        identity = ("-c", "user.name=a", "-c", "user.email=a@b")
        subprocess.run(["git", *identity, *command], cwd=folder, check=True, capture_output=True, timeout=60)
    return folder


def spoken(project: Path, talk: Callable[[Client], Awaitable[Any]], *options: str) -> Any:
    """What comes of a talk with a server for a project. The environment is that of a job of GitHub Actions."""
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "mindport", "mcp", "--root", str(project), *options],
        env=dict(os.environ) | {"GITHUB_ACTIONS": "true"},
        cwd=str(project.parent),
    )

    async def run() -> Any:
        async with Client(server, read_timeout_seconds=120) as client:
            return await talk(client)

    return asyncio.run(run())


async def result(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    answer = await client.call_tool(tool, arguments)
    assert not answer.is_error, answer.content
    assert answer.structured_content is not None
    found: dict[str, Any] = answer.structured_content
    return found


async def refusal(client: Client, tool: str, **arguments: Any) -> str:
    answer = await client.call_tool(tool, arguments)
    assert answer.is_error
    (content,) = answer.content
    assert isinstance(content, TextContent)
    return content.text


@pytest.mark.thorough
def test_from_a_check_to_a_port(project: Path) -> None:
    async def talk(client: Client) -> None:
        checked = await result(client, "check", paths=["src"])
        assert checked["target"] == "MindSpore 2.10.0 on CPU, PyNative"
        (found,) = checked["findings"]
        place = (found["file"], found["line"], found["code"], found["api"])
        assert place == ("src/model.py", 8, "MP101", "torch.nn.Dropout")
        assert found["fix"] in ("safe", "unsafe")
        assert found["source"] == "self.drop = nn.Dropout(0.1)"
        assert checked["left_out"] == 0

        explained = await result(client, "explain", subject="nn.Dropout")
        assert any(case["silent"] for case in explained["cases"])

        preview = await result(client, "preview_fix", paths=["src"], unsafe=True)
        assert "+class Net(nn.Cell):" in preview["patch"]
        assert not preview["is_written"]
        assert (project / "src" / "model.py").read_text() == CODE

        ported = await result(client, "port", source="src", destination="ported")
        assert "1 file converted" in ported["report"]
        assert "class Net(nn.Cell)" in (project / "ported" / "model.py").read_text()
        left = await result(client, "check", paths=["ported"])
        assert left["by_severity"]["error"] == 0
        assert (project / "src" / "model.py").read_text() == CODE

    spoken(project, talk)


@pytest.mark.thorough
def test_fixes_are_written_where_git_can_take_them_back(project: Path) -> None:
    async def talk(client: Client) -> None:
        fixed = await result(client, "fix", paths=["src/model.py"], unsafe=True)
        assert fixed["is_written"]
        assert "+class Net(nn.Cell):" in fixed["patch"]
        (project / "src" / "model.py").write_text(CODE + "# edited\n")
        assert "uncommitted" in await refusal(client, "fix", paths=["src/model.py"], unsafe=True)

    spoken(project, talk)
    assert (project / "src" / "model.py").read_text() == CODE + "# edited\n"


@pytest.mark.thorough
def test_what_is_outside_stays_there(project: Path) -> None:
    async def talk(client: Client) -> None:
        outside = ["..", "../secret.py", str(project.parent), "src/../../secret.py", "link.py", "/etc", ""]
        for path in outside:
            for tool in ("check", "preview_fix", "fix"):
                said = await refusal(client, tool, paths=[path])
                assert "is outside of" in said or "is no path" in said, (tool, path)
        assert "is outside of" in await refusal(client, "port", source="src", destination="../ported")
        # What looks like an option is a path.
        assert "no such file" in await refusal(client, "check", paths=["--config=/etc/passwd"])
        assert "no rule" in await refusal(client, "explain", subject="--live")

    spoken(project, talk)
    assert not (project.parent / "ported").exists()


@pytest.mark.thorough
def test_code_is_run_only_where_that_was_allowed(project: Path) -> None:
    async def names(client: Client) -> list[str]:
        return [tool.name for tool in (await client.list_tools()).tools]

    assert "try_port" not in spoken(project, names)
    assert "try_port" in spoken(project, names, "--allow-run")

    async def hints(client: Client) -> dict[str, bool]:
        tools = (await client.list_tools()).tools
        return {tool.name: bool(tool.annotations and tool.annotations.read_only_hint) for tool in tools}

    read_only = {name for name, reads in spoken(project, hints, "--allow-run").items() if reads}
    assert read_only == {"check", "explain", "second_order", "preview_fix"}


@pytest.mark.thorough
def test_sizes_are_limited(project: Path) -> None:
    (project / "src" / "many.py").write_text("import torch\n" + "torch.nope()\n" * 600)

    async def talk(client: Client) -> None:
        checked = await result(client, "check", paths=["src"], limit=10)
        assert (len(checked["findings"]), checked["left_out"]) == (10, 591)
        assert checked["findings"][0]["code"] == "MP101"  # the worst first
        assert len((await result(client, "check", limit=10_000_000))["findings"]) == 500
        only = await result(client, "check", paths=["src"], codes=["MP101"])
        assert set(only["by_code"]) == {"MP101"}

    spoken(project, talk)


@pytest.mark.thorough
def test_pages_and_prompt(project: Path) -> None:
    async def talk(client: Client) -> None:
        for uri, head in (("rules/MP101", "# MP101 "), ("names/torch.nn.Dropout", "# torch.nn.Dropout")):
            (content,) = (await client.read_resource(f"mindport://{uri}")).contents
            assert isinstance(content, TextResourceContents)
            assert content.text.startswith(head)
        prompt = await client.get_prompt("migrate", {"folder": "src"})
        (message,) = prompt.messages
        assert isinstance(message.content, TextContent)
        assert "Migrate src " in message.content.text
        assert "mindport try" in message.content.text

    spoken(project, talk)


TRAINING = """\
import torch
from torch import nn, optim

net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
optimizer = optim.SGD(net.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()


def main():
    x, y = torch.randn(16, 4), torch.randint(0, 2, (16,))
    for _ in range(3):
        optimizer.zero_grad()
        loss = criterion(net(x), y)
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    main()
"""


@pytest.mark.oracle
def test_from_a_check_to_a_training_step(project: Path) -> None:
    (project / "src" / "train.py").write_text(TRAINING)

    async def talk(client: Client) -> None:
        (program,) = (await result(client, "check", paths=["src"]))["programs"]
        assert (program["file"], program["level"]) == ("src/train.py", "expected to train")
        await result(client, "port", source="src", destination="ported")
        tried = await result(client, "try_port", folder="ported")
        assert tried["problem"] == ""
        assert tried["counts"]["train"] == {"reached": 1, "wanted": 1}

    python = os.environ.get("MINDSPORE_PYTHON", sys.executable)
    spoken(project, talk, "--allow-run", "--interpreter", python)
