"""Files that no tool likes: each gets a clear message with its place or an ordinary result, the rest of the
run goes on, and nothing is changed in a file that could not be read whole."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest

from mindport.cli.main import main
from mindport.report.rows import CheckOutput, FindingRow, InventoryOutput, InventoryRow

GOOD = b"import torch\n\nprint(torch.no_such_name_at_all)\n"
USE = b"import torch\nprint(torch.no_such_name_at_all)\n"

# name -> (content, code, line, column, words of the message): a finding about the file itself
PROBLEMS: dict[str, tuple[bytes, str, int, int, str]] = {
    "bad_utf8.py": (b"import torch\nx = '\xe9'\n", "MP902", 2, 6, "byte 0xe9 is not valid UTF-8"),
    "null.py": (b"import torch\nx = \0\n", "MP902", 2, 5, "null byte"),
    "utf16.py": ("import torch\n".encode("utf-16"), "MP902", 1, 4, "UTF-16"),
    "unknown_coding.py": (b"# coding: klingon\n", "MP902", 1, 11, "unknown encoding 'klingon'"),
    "too_large.py": (b"#" * (5 * 1024 * 1024 + 1), "MP905", 1, 1, "max-file-size"),
    "open_bracket.py": (b"import torch\nx = (1,\n\ndef f():\n    return 1\n", "MP901", 2, 5, ""),
    "bad_indent.py": (b"import torch\ndef f():\n    x = 1\n  y = 2\n", "MP901", 4, 0, ""),
    "open_string.py": (b"import torch\nx = '''abc\n", "MP901", 2, 5, ""),
    "python2.py": (b"import torch\nprint 'hello'\n", "MP901", 2, 1, ""),
    "async.py": (
        b"import torch\nx = y.cuda(async=True)\n",
        "MP901",
        2,
        12,
        "torch calls the argument `non_blocking`",
    ),
    "conflict.py": (b"import torch\n<<<<<<< HEAD\nx = 1\n=======\n", "MP901", 2, 0, ""),
    "many_brackets.py": (b"import torch\nx = " + b"(" * 400 + b")" * 400 + b"\n", "MP901", 2, 0, ""),
    "long_number.py": (b"import torch\nx = " + b"1" * 5000 + b"\n", "MP901", 2, 0, ""),
}

# name -> (content, line, column of the reference): files that are read like any other
ORDINARY: dict[str, tuple[bytes, int, int]] = {
    "tabs.py": (b"import torch\nif 1:\n\tif 2:\n\t\tprint(torch.no_such_name_at_all)\n", 4, 9),
    "form_feed.py": (b"import torch\n\x0c\nx = 1\n\x0cprint(torch.no_such_name_at_all)\n", 4, 8),
    "crlf.py": (USE.replace(b"\n", b"\r\n"), 2, 7),
    "carriage_return.py": (USE.replace(b"\n", b"\r"), 2, 7),
    "mixed_ends.py": (b"import torch\r\nx = 1\ry = 2\nprint(torch.no_such_name_at_all)\r\n", 4, 7),
    "mark.py": (b"\xef\xbb\xbf" + USE, 2, 7),
    "mark_on_the_line.py": (b"\xef\xbb\xbfimport torch; print(torch.no_such_name_at_all)\n", 1, 21),
    "latin1.py": (b"# coding: latin-1\nimport torch\nx = '\xe9'; print(torch.no_such_name_at_all)\n", 3, 16),
    "gbk.py": (b"# coding: gbk\nimport torch\nx = '\xc4\xe3'; print(torch.no_such_name_at_all)\n", 3, 16),
    "chinese.py": ("import torch\nx = '你好😀'; print(torch.no_such_name_at_all)\n".encode(), 2, 18),
    "separators.py": ("import torch\nx = '\u2028\x85'; print(torch.no_such_name_at_all)\n".encode(), 2, 17),
    "no_last_end.py": (USE.rstrip(), 2, 7),
    "continued.py": (b"import torch\nprint(\\\n  torch.no_such_name_at_all)\n", 3, 3),
    "largest.py": (USE + b"#" * (5 * 1024 * 1024 - len(USE)), 2, 7),
    "deep.py": (b"import torch\nx = " + b"1 + " * 2000 + b"1\nprint(torch.no_such_name_at_all)\n", 3, 7),
    "chain.py": (b"import torch\nx = a" + b".b()" * 300 + b"\nprint(torch.no_such_name_at_all)\n", 3, 7),
}


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = main([*arguments, "--no-cache", "--jobs", "1"])
    output = capsys.readouterr()
    assert "Traceback" not in output.err
    return code, output.out


def findings(capsys: pytest.CaptureFixture[str], root: Path) -> dict[str, list[FindingRow]]:
    code, out = run(capsys, "check", str(root), "--output-format", "json")
    assert code == 1
    rows: dict[str, list[FindingRow]] = {}
    for row in msgspec.json.decode(out, type=CheckOutput).findings:
        rows.setdefault(os.path.relpath(row.file, root), []).append(row)
    return rows


def references(capsys: pytest.CaptureFixture[str], root: Path) -> dict[str, list[InventoryRow]]:
    _, out = run(capsys, "inventory", str(root), "--output-format", "json")
    rows: dict[str, list[InventoryRow]] = {}
    for row in msgspec.json.decode(out, type=InventoryOutput).references:
        rows.setdefault(os.path.relpath(row.file, root), []).append(row)
    return rows


def write(root: Path, contents: dict[str, bytes]) -> None:
    for name, content in contents.items():
        (root / name).write_bytes(content)


def test_each_problem_has_its_place_and_the_rest_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, {name: case[0] for name, case in PROBLEMS.items()})
    write(tmp_path, {"good.py": GOOD})
    rows = findings(capsys, tmp_path)
    for name, (_, code, line, column, words) in PROBLEMS.items():
        own = [row for row in rows[name] if row.code.startswith("MP9")]
        assert (own[0].code, own[0].line) == (code, line), name
        assert {row.code for row in own} == {code}, name
        assert column in (0, own[0].column), name
        assert words in own[0].message, name
        assert own[0].severity == ("warning" if code == "MP905" else "error"), name
    assert [(row.code, row.line, row.column) for row in rows["good.py"]] == [("MP113", 3, 7)]


@pytest.mark.thorough
@pytest.mark.parametrize("name", ORDINARY)
def test_unusual_files_are_read_like_any_other(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content, line, column = ORDINARY[name]
    write(tmp_path, {name: content})
    rows = findings(capsys, tmp_path)
    assert [(row.code, row.line, row.column) for row in rows[name]] == [("MP113", line, column)]
    listed = references(capsys, tmp_path)[name]
    assert [row.api for row in listed] == ["torch", "torch.no_such_name_at_all"]


def test_what_is_not_broken_in_a_broken_file_is_still_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = b"import torch\ndef f():\n    return (1,\n\ndef g():\n    return torch.no_such_name_at_all\n"
    write(tmp_path, {"broken.py": broken})
    rows = findings(capsys, tmp_path)["broken.py"]
    assert {("MP901", 3), ("MP113", 6)} <= {(row.code, row.line) for row in rows}


@pytest.mark.filterwarnings("error")
def test_warnings_about_the_code_are_not_ours(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # Python warns of the escape and of the number when it parses them; `-W error` makes that an exception.
    code = 'import torch\n\na = "\\d"\nb = torch.cat([c, d], 0if a else 1)\ne = torch.relu(f["\\d"])\n'
    write(tmp_path, {"a.py": code.encode()})
    assert main(["fix", str(tmp_path), "--unsafe-fixes", "--no-cache", "--jobs", "1"]) == 0
    assert "Warning" not in capsys.readouterr().err
    fixed = (tmp_path / "a.py").read_text("utf-8")
    assert "torch" not in fixed
    assert '"\\d"' in fixed and "0if a" in fixed and 'f["\\d"]' in fixed


def test_code_nested_deeper_than_the_stack(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chain = b"import torch\nx = a" + b".b()" * 8000 + b"\n"
    write(tmp_path, {"chain.py": chain, "sum.py": b"x = 1" + b" + 1" * 60000 + b"\n", "good.py": GOOD})
    rows = findings(capsys, tmp_path)
    # Some releases of Python follow such code; then there is nothing to report.
    for name in ("chain.py", "sum.py"):
        assert {row.code for row in rows.get(name, [])} <= {"MP901"}
    assert [row.code for row in rows["good.py"]] == ["MP113"]


def test_paths_of_every_kind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, {"good.py": GOOD, "empty.py": b"", "comment.py": b"# nothing\n"})
    (tmp_path / "self").symlink_to("self")
    (tmp_path / "up").symlink_to(".")
    (tmp_path / "gone.py").symlink_to("nowhere.py")
    (tmp_path / "directory.py").mkdir()
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "模型 a\nb.py").write_bytes(GOOD)
    rows = findings(capsys, tmp_path)
    messages = {name: (own[0].code, own[0].severity, own[0].message) for name, own in rows.items()}
    assert messages["self"] == (
        "MP902",
        "information",
        "is a link that leads to itself, so it is not followed",
    )
    assert messages["up"][:2] == ("MP902", "information")
    assert messages["gone.py"] == ("MP902", "error", "is a link to a file that does not exist")
    assert messages["pipe.py"] == ("MP902", "error", "is not a regular file")
    assert set(rows) == {"self", "up", "gone.py", "pipe.py", "good.py", "模型 a\nb.py"}


def test_a_name_that_is_not_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.py")).write_bytes(GOOD)
    assert list(findings(capsys, tmp_path)) == ["caf\ufffd.py"]
    code, out = run(capsys, "check", str(tmp_path))
    assert code == 1
    assert "caf" in out


def test_an_unreadable_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {"secret.py": GOOD, "good.py": GOOD})
    (tmp_path / "secret.py").chmod(0)
    if os.geteuid() == 0:  # permissions do not bind the superuser, so the refusal is made by hand
        really_open = os.open

        def refuse(name: object, *rest: object, **more: object) -> object:
            if str(name).endswith("secret.py"):
                raise PermissionError(13, "Permission denied")
            return really_open(name, *rest, **more)  # type: ignore[call-overload]

        monkeypatch.setattr("os.open", refuse)
    rows = findings(capsys, tmp_path)
    assert (rows["secret.py"][0].code, rows["secret.py"][0].message) == (
        "MP902",
        "cannot be read: permission denied",
    )
    assert rows["good.py"][0].code == "MP113"


def test_nothing_that_can_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, {"a.py": b"\xff", "b.py": b"\0"})
    code, out = run(capsys, "check", str(tmp_path))
    assert code == 2
    assert "a.py:1:1: error MP902" in out


def test_fix_leaves_broken_files_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, {name: case[0] for name, case in PROBLEMS.items()})
    fixable = b"import torch\n\n\ndef f(x: torch.Tensor):\n    return torch.abs(x)\n"
    write(tmp_path, {"good.py": fixable, "open_end.py": fixable + b"y = (\n"})
    target = ["--device", "CPU", "--target-version", "2.10.0"]
    assert main(["fix", str(tmp_path), "--no-cache", "--jobs", "1", "--unsafe-fixes", *target]) in (1, 2)
    assert "Traceback" not in capsys.readouterr().err
    for name, case in PROBLEMS.items():
        assert (tmp_path / name).read_bytes() == case[0], name
    assert (tmp_path / "open_end.py").read_bytes() == fixable + b"y = (\n"
    assert b"mindspore" in (tmp_path / "good.py").read_bytes()


def test_an_output_directory_is_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "source"
    source.mkdir()
    contents = {"bad.py": b"\xff", "open.py": b"import torch\nx = (\n", "good.py": b"x = 1\r\n"}
    write(source, contents)
    os.mkfifo(source / "pipe.py")
    assert main(["fix", str(source), "-o", str(tmp_path / "out"), "--no-cache"]) == 2
    assert "bad.py" in capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()} == contents


def test_an_output_directory_that_cannot_be_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, {"good.py": b"x = 1\n", "bad.py": b"\xff", "out": b"a file"})
    assert main(["fix", str(tmp_path), "-o", str(tmp_path / "out" / "deep"), "--no-cache"]) == 2
    assert "cannot be made" in capsys.readouterr().err
    assert (tmp_path / "out").read_bytes() == b"a file"


COMMANDS = [
    ("check",),
    ("check", "--output-format", "concise"),
    ("check", "--output-format", "jsonl"),
    ("inventory",),
    ("fix", "--diff", "--unsafe-fixes"),
    ("report", "--format", "html"),
    ("report", "--format", "markdown"),
    ("report", "--format", "csv"),
    ("report", "--format", "json"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_names_and_texts_do_nothing_to_a_terminal(
    command: tuple[str, ...],
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    signs = "\x1b[2J\x1b]0;title\x07\x9b31m\u202e\x08"
    folder = tmp_path / f"folder{signs}"
    folder.mkdir()
    (folder / f"a{signs}\nerror: forged.py").write_bytes(GOOD + b"y = torch.abs(torch.ones(3))\n")
    (folder / f"bad{signs}.py").write_bytes(b"\xff")
    (folder / "config.yaml").write_text(f"lr: '{signs[:3]}'\nname: \"\\e[2J\"\n", "utf-8")
    (folder / "args.py").write_text(
        f"parser.add_argument('--lr', help='{signs}', default='{signs}')\n", "utf-8"
    )
    main([*command, str(folder), "--no-cache", "--jobs", "1"])
    out, err = capfd.readouterr()
    assert out
    # JSON is for programs, which get the names as they are, in JSON's own escapes.
    for sign in "\x1b\x07\x08" + "\x9b\u202e" * ("json" not in command[-1]):
        assert sign not in out + err, ascii(sign)
    if command[0] != "report":  # where lines mean something
        assert "\nerror: forged" not in out + err
