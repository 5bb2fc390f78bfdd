"""How programs are written down, copied and ported: what is wrong is said with its place, and the copy is exact."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from program_bench.case import Case, CaseError, Half, read_case, read_cases
from program_bench.copies import PassedOverError, make_copy, with_main
from program_bench.porting import port

HERE = Path(__file__).parent
ENTRY = 'kind = "GAN"\nhalf = "open"\nnumber = 1\nrepository = "someone/gan"\ncommit = "COMMIT"\n'


def written(folder: Path, description: str, driver: str = "import gan\n") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "program.toml").write_text(description)
    (folder / "driver.py").write_text(driver)
    return folder


def test_all_programs_of_the_bench_can_be_read() -> None:
    cases = read_cases([HERE / "cases", HERE / "own"])
    drawn = [case for case in cases if not case.is_own]
    numbers = [case.description.number for case in drawn]
    assert len(set(numbers)) == len(numbers)
    assert {case.description.half for case in cases} <= set(Half)
    for case in drawn:
        if case.description.half is not Half.LATER:
            assert (case.description.half is Half.OPEN) == (case.description.number % 2 == 1), case.id
        assert len(case.description.commit) == 40, case.id
        assert all(patch.why for patch in case.description.patch), case.id


@pytest.mark.parametrize(
    ("description", "said"),
    [
        ('kind = "GAN"\nhalf = "opened"\n', "opened"),
        ('kind = "GAN"\nstub = ["x"]\n', "stub"),
        ('half = "own"\n', "kind"),
        ('kind = "GAN"\nseconds = "long"\n', "$.seconds"),
        ('kind = "GAN"\nseconds = \n', "program.toml"),
        ('kind = "GAN"\nhalf = "open"\nnumber = 1\n', "repository"),
        ('kind = "GAN"\nnumber = 3\n', "half"),
        ('kind = "GAN"\n[[patch]]\nfile = "x.py"\nold = "a"\nnew = "b"\n', "why"),
    ],
)
def test_a_wrong_description_is_refused_with_its_place(description: str, said: str, tmp_path: Path) -> None:
    folder = written(tmp_path / "gan", description)
    with pytest.raises(CaseError, match=r"gan/program\.toml: ") as raised:
        read_case(folder)
    assert said in str(raised.value)


def test_a_program_without_a_driver_is_refused(tmp_path: Path) -> None:
    folder = written(tmp_path / "gan", 'kind = "GAN"\n')
    (folder / "driver.py").unlink()
    with pytest.raises(CaseError, match=r"gan: has no driver\.py"):
        read_case(folder)


FILES = {
    "gan.py": "import torch\nx = np.float\n",
    "tflib/plot.py": "import tflib\n",
    "tflib/__init__.py": "",
    "data/faces.txt": "1 2\n",
    "demo.ipynb": "{}\n",
}


@pytest.fixture
def repositories(tmp_path: Path) -> Path:
    folder = tmp_path / "repositories" / "someone+gan" / "repo"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    for command in (["init"], ["add", "."], ["commit", "--message", "all"]):
        git = ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", "-C", str(folder), *command]
        subprocess.run(git, check=True, capture_output=True)
    return tmp_path / "repositories"


def case_of(repositories: Path, tmp_path: Path, more: str = "") -> Case:
    head = ["git", "-C", str(repositories / "someone+gan" / "repo"), "rev-parse", "HEAD"]
    commit = subprocess.run(head, check=True, capture_output=True, text=True).stdout.strip()
    return read_case(written(tmp_path / "cases" / "gan", ENTRY.replace("COMMIT", commit) + more))


PATCH = '[[patch]]\nfile = "gan.py"\nold = "np.float"\nnew = "float"\nwhy = "removed"\n'


@pytest.mark.parametrize(
    ("more", "files", "modules", "gan"),
    [
        ("", ["gan.py", "tflib/__init__.py", "tflib/plot.py"], ("gan", "tflib.plot"), FILES["gan.py"]),
        ('files = ["gan.py", "*.txt"]', ["data/faces.txt", "gan.py"], ("gan",), FILES["gan.py"]),
        (f'files = ["gan.py"]\n{PATCH}', ["gan.py"], ("gan",), "import torch\nx = float\n"),
    ],
)
def test_the_copy_has_the_files_of_the_commit_patched(
    more: str, files: list[str], modules: tuple[str, ...], gan: str, repositories: Path, tmp_path: Path
) -> None:
    (repositories / "someone+gan" / "repo" / "gan.py").write_text("not committed")
    copy = make_copy(case_of(repositories, tmp_path, more), repositories, tmp_path / "copy")
    there = sorted(
        path.relative_to(copy.folder).as_posix() for path in copy.folder.rglob("*") if path.is_file()
    )
    assert sorted(copy.files) == files
    assert there == sorted([*files, "driver.py"])
    assert copy.modules == modules
    assert (copy.folder / "gan.py").read_text() == gan
    assert copy.to_convert == (*(name for name in copy.files if name.endswith(".py")), "driver.py")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ('files = ["gan.py", "nothing/*.py"]', "nothing/*.py"),
        (PATCH.replace("np.float", "np.int"), "np.int"),
        (PATCH.replace("gan.py", "absent.py"), "absent.py"),
    ],
)
def test_what_is_not_in_the_commit_is_said(more: str, said: str, repositories: Path, tmp_path: Path) -> None:
    with pytest.raises(CaseError, match="gan: ") as raised:
        make_copy(case_of(repositories, tmp_path, more), repositories, tmp_path / "copy")
    assert said in str(raised.value)


@pytest.mark.parametrize("missing", ["folder", "repository", "commit"])
def test_what_is_not_stored_is_passed_over(missing: str, repositories: Path, tmp_path: Path) -> None:
    case = case_of(repositories, tmp_path)
    if missing == "commit":
        case = read_case(written(tmp_path / "cases" / "gan", ENTRY.replace("COMMIT", "0" * 40)))
    stored = {"folder": None, "repository": tmp_path, "commit": repositories}[missing]
    with pytest.raises(PassedOverError):
        make_copy(case, stored, tmp_path / "copy")


@pytest.mark.parametrize(
    ("driver", "calls"),
    [
        (
            "def build(): ...\ndef forward(g, d): ...\ndef train(g, d): ...\n",
            ["g, d = build()", "print(forward(g, d))", "print(train(g, d))"],
        ),
        ("def build(): ...\ndef forward(net): ...", ["net = build()", "print(forward(net))"]),
        ("def build(): ...\ndef forward(*nets): ...", ["nets = build()", "print(forward(*nets))"]),
        ("from net import build\ndef forward(net): ...", None),
        ("import gan\n", None),
    ],
)
def test_a_driver_is_run_like_a_program(driver: str, calls: list[str] | None) -> None:
    added = with_main(driver).removeprefix(driver).split("\n")
    if calls is None:
        assert added == [""]
    else:
        assert [line.strip() for line in added if line] == ['if __name__ == "__main__":', *calls]


# Stands for mindport: writes a word into every file that it is given, or into a folder.
WRITER = """
import pathlib, shutil, sys
words = sys.argv[1:]
if words[0] == "fails": sys.exit(2)
if words[0] == "raises": print("Traceback (most recent call last)"); sys.exit(1)
if words[0] == "port":
    shutil.copytree(words[1], words[3])
    words = [str(file) for file in pathlib.Path(words[3]).rglob("*.py")]
for word in words:
    if word.endswith(".py"): pathlib.Path(word).write_text("mindspore")
"""


@pytest.mark.parametrize(
    ("command", "written_text", "problem"),
    [
        ("fix {files}", "mindspore", ""),
        ("port {source} -o {destination}", "mindspore", ""),
        ("fix", FILES["gan.py"], ""),
        ("fails {files}", FILES["gan.py"], "exit 2"),
        ("raises {files}", FILES["gan.py"], "exit 1: Traceback"),
    ],
)
def test_the_command_ports_a_copy_and_leaves_the_original(
    command: str, written_text: str, problem: str, repositories: Path, tmp_path: Path
) -> None:
    original = make_copy(case_of(repositories, tmp_path), repositories, tmp_path / "work" / "torch")
    ported = port(original, tmp_path / "work" / "mindspore", [sys.executable, "-c", WRITER], command)
    assert ported.problem.startswith(problem) and bool(ported.problem) == bool(problem)
    assert (original.folder / "gan.py").read_text() == FILES["gan.py"]
    assert (ported.folder / "gan.py").read_text() == written_text
