"""What a function of torch writes into a variable is assigned to it before the first round of unsafe fixes."""

import pytest

from mindport.checking.fixing import fix_paths
from mindport.config.settings import Settings

TEXT = "import torch\n\n\ndef f(x, i):\n    y = x.new()  # 层 🙂\n    {line}\n    return y\n"
WRITTEN = "torch.index_select(x, 0, i, out=y)"


@pytest.mark.parametrize(("unsafe", "line"), [(True, "y = ops.index_select(x, 0, i)"), (False, WRITTEN)])
def test_only_unsafe_fixes_assign_it(tmp_path, monkeypatch, target, unsafe, line):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_text(TEXT.format(line=WRITTEN), encoding="utf-8")
    (file,) = fix_paths(["a.py"], Settings(), target, ".", allow_dirty=True, unsafe=unsafe)
    assert f"    {line}\n" in file.after.text


def test_a_file_in_which_nothing_else_changes_stays(tmp_path, monkeypatch, target):
    monkeypatch.chdir(tmp_path)
    text = "def f(torch):\n    y = 1\n    torch.add(y, out=y)\n"
    (tmp_path / "a.py").write_text(text)
    (file,) = fix_paths(["a.py"], Settings(), target, ".", allow_dirty=True, unsafe=True)
    assert file.after.text == text


GIVEN = """import torch

def f(x, on_gpu, i):
    y = x.new()
    torch.index_select(x, 0, i, out=y)
    if on_gpu:  # 快 🙂
        loss = torch.nn.BCELoss().cuda()
        z = torch.no_such_name(x.cuda())
    else:
        loss = torch.nn.BCELoss()
        z = torch.no_such_name(x)
    return torch.no_such_name(y), loss, z
"""


def test_branches_for_devices_are_one_and_findings_are_told_where_the_user_has_them(
    tmp_path, monkeypatch, target
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_text(GIVEN, encoding="utf-8")
    (file,) = fix_paths(["a.py"], Settings(), target, ".", allow_dirty=True, unsafe=True)
    assert "if on_gpu" not in file.after.text
    assert file.before.text == GIVEN
    lines = GIVEN.splitlines()
    for finding in file.report.findings:
        assert "no_such_name" in lines[finding.span.line - 1][finding.span.column : finding.span.end_column]
    assert [finding.span.line for finding in file.report.findings] == [11, 12]


def test_safe_fixes_leave_the_branches(tmp_path, monkeypatch, target):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_text(GIVEN, encoding="utf-8")
    (file,) = fix_paths(["a.py"], Settings(), target, ".", allow_dirty=True)
    assert "if on_gpu" in file.after.text


def test_a_class_of_torchs_for_one_dtype(tmp_path, monkeypatch, target):
    monkeypatch.chdir(tmp_path)
    text = "import torch\n\ndef f(x):\n    return isinstance(x, (int, torch.LongTensor, torch.cuda.LongTensor))\n"
    (tmp_path / "a.py").write_text(text)
    (file,) = fix_paths(["a.py"], Settings(), target, ".", allow_dirty=True, unsafe=True)
    assert (
        "isinstance(x, int) or (isinstance(x, mindspore.Tensor) and x.dtype == mindspore.int64)"
        in file.after.text
    )
    assert not file.report.findings
