"""What a function of torch writes into a variable is assigned to it before the first round of unsafe fixes."""

import pytest

from mindport.check.fixing import fix_paths
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
