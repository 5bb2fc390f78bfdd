"""The folders that a script adds to the search path are found below those from its own up to the project's."""

import pytest

from mindport.source.search_path import added_folders


@pytest.mark.parametrize(
    ("text", "folder", "expected"),
    [
        ('import sys\nsys.path.append("utils")\n', "/p/a", "/p/a/utils"),
        ("sys.path.insert(0, './core')\n", "/p", "/p/core"),
        ('    sys.path.append(os.path.join(ROOT_DIR, "models", "parts"))\n', "/p/tools", "/p/models/parts"),
        ('sys.path.append("..")  # 层 🙂\n', "/p/tools", "/p"),
        ("sys.path.append(os.path.dirname(os.path.dirname(__file__)))\n", "/p/a/b", "/p"),
        ('sys.path += ["lib", "more"]\n', "/p", "/p/more"),
        ('sys.path[0:0] = ["lib"]\r\n', "/p", "/p/lib"),
        (
            'HERE = dirname(__file__)\nLIB = join(HERE, "lib")\nsys.path.insert(0, join(LIB, "a"))\n',
            "/p",
            "/p/lib/a",
        ),
        ('LIB = Path(__file__).parent / "lib"\nsys.path.append(str(LIB))\n', "/p/tools", "/p/tools/lib"),
    ],
)
def test_folders_that_are_added(text, folder, expected):
    assert expected in list(added_folders(text, folder, "/p"))


@pytest.mark.parametrize(
    ("text", "folder"),
    [
        ('sys.modules["lib"] = 3\n', "/p"),
        ('print("sys.path", "lib")\n', "/p"),
        ('# sys.path.append("lib")\n', "/p"),
        ('sys.path.append("/lib")\n', "/p"),
        ('sys.path.append("../lib")\n', "/p"),
        ('sys.path.remove("lib")\n', "/p"),
        ('LIB = "lib"\nsys.path.append(other.LIB)\n', "/p"),
        ("LIB = LIB\nsys.path.append(LIB)\n", "/p"),
    ],
)
def test_folders_that_are_not(text, folder):
    assert not [found for found in added_folders(text, folder, "/p") if found.endswith("lib")]
