"""Checking files: what is reported where, what settings and comments leave, and that bad files lose nothing else."""

import msgspec
import pytest

from mindport.checking.project import check_paths
from mindport.config.settings import Settings
from mindport.source.text import SourceText

UNKNOWN = "import torch\ny = torch.no_such_name\n"


def codes(reports):
    return {report.path: [finding.rule for finding in report.findings] for report in reports}


def check(names, target, settings=None, **options):
    options.setdefault("use_cache", False)
    return list(check_paths(names, settings or Settings(), target, ".", **options))


def test_reports_come_in_the_order_of_the_files(folder, target):
    names = folder({"b.py": UNKNOWN, "a.py": "x = 1\n", "c.py": UNKNOWN})
    assert codes(check(names, target)) == {"b.py": ["MP113"], "a.py": [], "c.py": ["MP113"]}


BAD = {
    "syntax.py": ("def f(:\n", "MP901", (1, 6)),
    "bytes.py": (b"x = 1\ny = '\xff'\n", "MP902", (2, 5)),
    "null.py": (b"x = 1\x00\n", "MP902", (1, 5)),
    "coding.py": (b"# coding: no-such\nx = 1\n", "MP902", (1, 10)),
    "large.py": ("x = 1\n" * 400_000, "MP905", (1, 0)),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_reported_with_its_place_and_the_rest_goes_on(folder, target, name):
    content, code, place = BAD[name]
    names = folder({"first.py": UNKNOWN, name: content, "last.py": UNKNOWN})
    first, bad, last = check(names, target, Settings(max_file_size=1))
    (finding,) = bad.findings
    assert (finding.rule, (finding.span.line, finding.span.column)) == (code, place)
    assert first.findings and last.findings
    assert bad.is_readable is (code == "MP901")


def test_a_missing_file_is_unreadable(target, tmp_path):
    (report,) = check([str(tmp_path / "gone.py")], target)
    assert [finding.rule for finding in report.findings] == ["MP902"] and not report.is_readable


def test_uses_outside_a_broken_part_are_still_seen(folder, target):
    (report,) = check(folder({"a.py": UNKNOWN + "def f(:\n    pass\n"}), target)
    assert "MP901" in [finding.rule for finding in report.findings]


SETTINGS = [
    ({"ignore": ("MP113",)}, []),
    ({"ignore": ("MP1",)}, []),
    ({"select": ("MP101",)}, []),
    ({"select": ("MP113",)}, ["MP113"]),
    ({"preset": "silent-only"}, []),
    ({"min_severity": "error"}, []),
    ({"min_severity": "error", "severity": {"MP113": "error"}}, ["MP113"]),
    ({"severity": {"MP113": "hint"}, "min_severity": "warning"}, []),
    ({"per_file_ignores": {"*.py": ("MP113",)}}, []),
    ({"per_file_ignores": {"other.py": ("MP113",)}}, ["MP113"]),
]


@pytest.mark.parametrize(("changes", "expected"), SETTINGS)
def test_settings_choose_the_findings(folder, target, changes, expected):
    (report,) = check(folder({"a.py": UNKNOWN}), target, Settings(**changes))
    assert [finding.rule for finding in report.findings] == expected


def test_another_severity_is_written_into_the_finding(folder, target):
    (report,) = check(folder({"a.py": UNKNOWN}), target, Settings(severity={"MP113": "error"}))
    assert [finding.severity.label for finding in report.findings] == ["error"]


def test_a_suppressed_finding_is_counted_and_gone(folder, target):
    text = UNKNOWN.rstrip() + "  # mindport: ignore[MP113] known\n"
    (report,) = check(folder({"a.py": text}), target)
    assert (report.findings, report.suppressed) == ((), 1)


def test_a_suppression_counts_as_used_though_its_rule_is_not_selected(folder, target):
    text = UNKNOWN.rstrip() + "  # mindport: ignore[MP113]\n"
    (report,) = check(folder({"a.py": text}), target, Settings(ignore=("MP113",)))
    assert report.findings == ()


def test_configuration_files_are_scanned_for_torch_names(folder, target):
    names = folder({"c.yaml": "optimizer:\n  _target_: torch.optim.Adam\nurl: http://torch.org\n"})
    (report,) = check(names, target)
    assert [(finding.rule, finding.span.line, finding.span.column) for finding in report.findings] == [
        ("MP114", 2, 12)
    ]


def test_the_text_of_an_overlay_is_used_instead_of_the_file(folder, target):
    names = folder({"a.py": UNKNOWN})
    (report,) = check(names, target, overlay={"a.py": SourceText("a.py", "x = 1\n")})
    assert report.findings == ()


def test_a_name_reexported_by_another_file_is_seen_also_when_one_file_is_checked(folder, target):
    folder({"pack/__init__.py": "", "pack/names.py": "import torch\nlayers = torch.nn\n"})
    names = folder({"pack/use.py": "from .names import layers\nx = layers.no_such_name\n"})
    (report,) = check(names, target)
    assert [finding.rule for finding in report.findings] == ["MP113"]


def test_processes_give_the_same_as_one(folder, target, monkeypatch):
    names = folder({f"part_{number}.py": UNKNOWN + f"# {number}\n" for number in range(6)})
    one = check(names, target, Settings(jobs=1))
    monkeypatch.setattr("mindport.checking.project.CHARACTERS_FOR_PROCESSES", 10)
    assert check(names, target, Settings(jobs=2)) == one


def test_tallies_count_every_use_and_no_import(folder, target):
    (report,) = check(
        folder({"a.py": "import torch\na = torch.no_such_name\nb = torch.no_such_name\n"}), target
    )
    assert {tally.api: tally.count for tally in report.tallies} == {"torch.no_such_name": 2}


class TestCache:
    def run(self, names, target, settings=None):
        return list(check_paths(names, settings or Settings(), target, "."))

    def test_a_second_run_gives_the_same_without_judging(self, folder, target, monkeypatch):
        names = folder({"a.py": UNKNOWN, "b.py": "x = 1\n", "bad.py": "def f(:\n"})
        first = self.run(names, target)
        monkeypatch.setattr("mindport.checking.project.Engine", None)
        assert self.run(names, target) == first

    def test_only_the_part_that_changed_is_judged_again(self, folder, target, monkeypatch):
        from mindport.usage.project import Project

        pack = {"pack/__init__.py": "", "pack/a.py": "from . import b\n", "pack/b.py": UNKNOWN}
        names = folder({**pack, "alone.py": UNKNOWN})
        self.run(names, target)
        folder({"alone.py": UNKNOWN + "# changed\n"})
        whole, seen = Project.usage, []
        monkeypatch.setattr(Project, "usage", lambda self, path: seen.append(path) or whole(self, path))
        assert codes(self.run(names, target))["pack/b.py"] == ["MP113"]
        assert {path.rpartition("/")[2] for path in seen} == {"alone.py"}

    def test_what_results_depend_on_changes_the_key(self, folder, target):
        names = folder({"a.py": UNKNOWN})
        self.run(names, target)
        folder({"a.py": "x = 1\n"})
        assert codes(self.run(names, target)) == {"a.py": []}
        folder({"a.py": UNKNOWN})
        assert codes(self.run(names, target, Settings(ignore=("MP113",)))) == {"a.py": []}
        other = msgspec.structs.replace(target, version=msgspec.structs.replace(target.version, minor=9))
        assert "2.9.0" in self.run(names, other)[0].findings[0].message

    def test_an_imported_file_changes_the_key(self, folder, target):
        names = folder({"use.py": "from names import layers\nx = layers.no_such_name\n"})
        folder({"names.py": "import torch\nlayers = torch.nn\n"})
        assert codes(self.run(names, target)) == {"use.py": ["MP113"]}
        folder({"names.py": "layers = None\n"})
        assert codes(self.run(names, target)) == {"use.py": []}

    def test_a_damaged_entry_is_a_miss(self, folder, target):
        import pathlib

        names = folder({"a.py": UNKNOWN})
        first = self.run(names, target)
        (entry,) = pathlib.Path(".mindport_cache").glob("*.msgpack")
        entry.write_bytes(b"not msgpack")
        assert self.run(names, target) == first

    def test_a_folder_that_cannot_be_made_is_no_error(self, folder, target):
        names = folder({"a.py": UNKNOWN, ".mindport_cache": "a file"})[:1]
        assert codes(self.run(names, target)) == {"a.py": ["MP113"]}

    def test_the_folder_is_ignored_by_git(self, folder, target):
        import pathlib

        self.run(folder({"a.py": UNKNOWN}), target)
        assert pathlib.Path(".mindport_cache/.gitignore").read_text() == "*\n"


def test_a_defect_of_mindport_in_one_file_loses_no_other(folder, target, monkeypatch):
    from mindport.usage.project import Project

    whole = Project.usage

    def broken(self, path):
        if path.endswith("b.py"):
            raise RuntimeError("a defect")
        return whole(self, path)

    monkeypatch.setattr(Project, "usage", broken)
    reports = check(folder({"a.py": UNKNOWN, "b.py": UNKNOWN, "c.py": UNKNOWN}), target)
    assert codes(reports) == {"a.py": ["MP113"], "b.py": ["MP903"], "c.py": ["MP113"]}
    assert "a defect" in reports[1].findings[0].message
