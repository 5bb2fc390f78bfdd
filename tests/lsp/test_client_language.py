"""The server speaks the language of the client, or the one of the settings; two sessions may have different ones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from language_client import SETTINGS, InnerClient, place

URI = "file:///project/model.py"
TEXT = "import torch\n\n\ndef f(x):\n    return torch.median(x), torch.cat([x, x], dim=1)\n"
MARKDOWN = {"textDocument": {"hover": {"contentFormat": ["markdown"]}}}
CHINESE, ENGLISH = "会静默地给出不同结果", "silently gives another result"


@pytest.fixture
def other() -> Iterator[InnerClient]:
    """A second client with a server of its own in the same process."""
    client = InnerClient()
    yield client
    client.close()


def texts(client: InnerClient) -> tuple[str, str, str]:
    """The first diagnostic, the card and the title of the first action at `median`."""
    client.open(URI, TEXT)
    message = client.published(URI)[0]["message"]
    card = client.hover(URI, 4, 18)["contents"]["value"]
    titles = [action["title"] for action in client.actions(URI, place(4, 18))]
    return message, card, next(title for title in titles if title.endswith(("this line", "此行忽略 MP101")))


def test_each_session_has_its_own_language(client: InnerClient, other: InnerClient) -> None:
    client.start(MARKDOWN, locale="zh-cn")
    other.start(MARKDOWN, locale="en-us")
    message, card, title = texts(client)
    assert CHINESE in message
    assert "静默差异" in card
    assert title == "在此行忽略 MP101"
    message, card, title = texts(other)
    assert ENGLISH in message
    assert "Silently different" in card
    assert title == "Ignore MP101 on this line"
    assert "静默差异" in client.hover(URI, 4, 18)["contents"]["value"]


@pytest.mark.parametrize(
    ("locale", "setting", "expected"),
    [
        ("zh-cn", "en", ENGLISH),
        ("en", "zh-cn", CHINESE),
        ("zh-cn", "auto", CHINESE),
        ("zh-tw", "auto", ENGLISH),
        (None, None, ENGLISH),
    ],
)
def test_a_setting_counts_more_than_the_client(
    client: InnerClient, locale: str | None, setting: str | None, expected: str
) -> None:
    options = SETTINGS if setting is None else {**SETTINGS, "locale": setting}
    client.start(MARKDOWN, locale=locale, initializationOptions=options)
    assert expected in texts(client)[0]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("locale", "told", "counted"),
    [
        ("zh-cn", "未知的设置（是否想写 'device'？）；修正之前使用默认设置", "已检查 0 个文件"),
        ("en", "unknown setting (did you mean 'device'?); the default settings", "files checked: 0"),
    ],
)
def test_messages_of_no_file_are_in_the_language_too(
    client: InnerClient, tmp_path: Path, locale: str, told: str, counted: str
) -> None:
    client.start(MARKDOWN, locale=locale, rootUri=(tmp_path / "empty").as_uri())
    (tmp_path / "empty").mkdir()
    (tmp_path / "pyproject.toml").write_text('[tool.mindport]\ndevise = "CPU"\n', "utf-8")
    client.open((tmp_path / "model.py").as_uri(), TEXT)
    assert told in client.first("window/showMessage")["message"]
    client.result("workspace/executeCommand", {"command": "mindport.index", "arguments": []})
    messages = [one["params"]["message"] for one in client.received if "showMessage" in one.get("method", "")]
    assert any(counted in message for message in messages), messages


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("locale", "setting", "target", "verdict"),
    [
        ("zh-cn", "", "MindSpore 2.10.0（CPU），PyNative 模式", "有差异"),
        ("en", "", "MindSpore 2.10.0 on CPU, PyNative", "differs"),
        ("en", 'locale = "zh-cn"', "MindSpore 2.10.0（CPU），PyNative 模式", "有差异"),
    ],
)
def test_panel_and_status_are_in_the_language_too(
    client: InnerClient, tmp_path: Path, locale: str, setting: str, target: str, verdict: str
) -> None:
    table = f'[tool.mindport]\ndevice = "CPU"\ntarget-version = "2.10.0"\n{setting}\n'
    (tmp_path / "pyproject.toml").write_text(table, "utf-8")
    file = tmp_path / "model.py"
    file.write_text("import torch\n\n\ndef f(x):\n    return torch.std(x)  # 方差 🔥\n", "utf-8")
    client.start(locale=locale, rootUri=tmp_path.as_uri(), initializationOptions={})
    client.open(file.as_uri(), file.read_text("utf-8"))
    assert client.first("$/mindport/target")["target"] == target
    overview = client.result("mindport/overview", {"uri": tmp_path.as_uri()})
    (api,) = overview["files"][0]["apis"]
    assert (overview["target"], api["verdict"], api["verdictText"]) == (target, "differs", verdict)
