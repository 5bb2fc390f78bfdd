"""Several formats at once, on standard output and in files, and what is written inside GitHub Actions."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from mindport.cli.main import main
from mindport.cli.outputs import refuse_statistics, requests_of

CODE = "import torch\n\nprint(torch.no_such_name_at_all)\n"
Check = Callable[..., tuple[int, str, str]]


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Check:
    """Run `mindport check` in a repository with one finding."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    Path(".git").mkdir()
    Path("src").mkdir()
    Path("src/a.py").write_text(CODE)

    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(["check", "--no-cache", "--jobs", "1", "--device", "CPU", *arguments])
        output = capsys.readouterr()
        return code, output.out, output.err

    return run


@pytest.mark.parametrize(
    ("formats", "files", "expected"),
    [
        ((), (), [("text", "-")]),
        ((), ("a",), [("text", "a")]),
        (("json",), (), [("json", "-")]),
        (("sarif",), ("a",), [("sarif", "a")]),
        (("text", "sarif"), ("a",), [("text", "-"), ("sarif", "a")]),
        (("text", "sarif", "junit"), ("a", "b"), [("text", "-"), ("sarif", "a"), ("junit", "b")]),
        (("sarif", "junit"), ("a", "-"), [("sarif", "a"), ("junit", "-")]),
    ],
)
def test_files_belong_to_the_last_formats(
    formats: tuple[str, ...], files: tuple[str, ...], expected: list[tuple[str, str]]
) -> None:
    requests = requests_of(formats, files, environment={})
    assert [(request.name, request.file) for request in requests] == expected


@pytest.mark.parametrize(
    ("formats", "files"), [(("text", "sarif"), ()), (("sarif",), ("a", "b")), (("a", "b", "c"), ("x",))]
)
def test_formats_without_a_place(formats: tuple[str, ...], files: tuple[str, ...]) -> None:
    with pytest.raises(click.UsageError, match="all but the first format need a file"):
        requests_of(formats, files, environment={})


@pytest.mark.parametrize(
    ("formats", "files", "expected"),
    [((), (), "github"), (("text",), (), "text"), (("json",), (), "json"), ((), ("a",), "text")],
)
def test_inside_github_actions(formats: tuple[str, ...], files: tuple[str, ...], expected: str) -> None:
    requests = requests_of(formats, files, environment={"GITHUB_ACTIONS": "true"})
    assert [request.name for request in requests] == [expected]
    assert requests_of((), (), environment={"GITHUB_ACTIONS": "false"})[0].name == "text"


def test_text_and_files(check: Check) -> None:
    code, out, err = check(
        *("--output-format", "text,sarif,csv", "--output-file", "out/m.sarif", "--output-file", "m.csv")
    )
    assert (code, err) == (1, "")
    assert out.startswith("src/a.py:3:7: warning MP113 ")
    log = json.loads(Path("out/m.sarif").read_text("utf-8"))
    place = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "src/a.py", "uriBaseId": "SRCROOT"}
    assert Path("m.csv").read_text("utf-8").count("\n") == 2


def test_paths_are_those_of_the_repository(
    check: Check, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path / "src")
    for form in ("github", "gitlab", "junit", "sarif"):
        assert "src/a.py" in check("--output-format", form, "a.py")[1]
    assert check("a.py")[1].startswith("a.py:3:7")


def test_a_file_that_cannot_be_written_is_no_result(check: Check) -> None:
    Path("taken").write_text("")
    code, out, err = check("--output-format", "sarif", "--output-file", "taken/m.sarif")
    assert (code, out) == (2, "")
    assert "taken/m.sarif" in err


@pytest.mark.parametrize(
    ("command", "name", "said"),
    [
        ("check", "sarf", "did you mean 'sarif'"),
        (
            "check",
            "discover",
            "there are text, full, concise, json, jsonl, csv, github, gitlab, html, junit, sarif",
        ),
        ("inventory", "sarif", "there are text, concise, json, jsonl, csv"),
    ],
)
def test_unknown_formats(command: str, name: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--output-format", name, "."]) == 2
    assert said in " ".join(capsys.readouterr().err.split())


def test_the_environment_chooses(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINDPORT_OUTPUT_FORMAT", "concise")
    assert check()[1].count("\n") == 1
    assert check("--output-format", "text")[1].count("\n") > 1


MANY = (
    "import torch\n\n\ndef f(x: torch.Tensor):\n    return torch.abs(x), torch.nope, torch.nope, torch.nope\n"
)


def test_statistics(check: Check) -> None:
    Path("src/a.py").write_text(MANY)
    code, out, _ = check("--statistics", "--target-version", "2.10.0")
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert code == 1
    assert lines[0] == "3 MP113 unknown-torch-name"
    assert lines[1].startswith("2 MP110 plain-rename (2 [")
    rows = json.loads(check("--statistics", "--output-format", "json")[1])
    assert [(row["code"], row["count"], row["name"]) for row in rows] == [
        ("MP113", 3, "unknown-torch-name"),
        ("MP110", 2, "plain-rename"),
    ]
    Path("src/a.py").write_text("x = 1\n")
    assert check("--statistics")[:2] == (0, "")


def test_statistics_have_no_places(check: Check) -> None:
    with pytest.raises(click.UsageError, match="not as sarif"):
        refuse_statistics(requests_of(("sarif",), (), environment={}))
    assert check("--statistics", "--output-format", "sarif")[0] == 2


@pytest.mark.parametrize(
    ("arguments", "settings", "code"),
    [
        ((), "", 1),
        (("--exit-zero",), "", 0),
        (("--fail-on", "error"), "", 0),
        (("--fail-on", "warning"), "", 1),
        (("--fail-on", "never"), "", 0),
        ((), "fail-on = 'error'", 0),
        (("--fail-on", "hint"), "fail-on = 'never'", 1),
        (("--exit-zero",), "fail-on = 'hint'", 0),
        ((), "severity = {MP113 = 'information'}", 0),
        (("--fail-on", "information"), "severity = {MP113 = 'information'}", 1),
        ((), "per-file-ignores = {'src/*' = ['MP113']}", 0),
        (("--fail-on", "sometimes"), "", 2),
        (("--exit-zero", "nowhere"), "", 2),
    ],
)
def test_what_fails_a_run(check: Check, arguments: tuple[str, ...], settings: str, code: int) -> None:
    Path("pyproject.toml").write_text(f"[tool.mindport]\n{settings}\n")
    assert check(*arguments)[0] == code
