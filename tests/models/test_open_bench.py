"""The open bench: how files are drawn and what is ported with them; and a fixed part of it, which has to pass."""

from pathlib import Path

import pytest
from open_bench.bench import run_model
from open_bench.closure import Closure
from open_bench.entries import WANTED, DrawingError, drawn_models
from open_bench.packages import download, read_list
from open_bench.population import defines_network, drawing_order

pytestmark = pytest.mark.oracle

CACHE = Path(__file__).resolve().parents[2] / ".test-cache" / "model_bench"

# Files that passed all stages when they were drawn or mended; `scripts/run_model_bench.py` runs all sixty.
PASSING = [
    "segmentation_models_pytorch/decoders/linknet/decoder.py",
    "segmentation_models_pytorch/decoders/pspnet/decoder.py",
    "monai/apps/detection/networks/retinanet_network.py",
    "x_transformers/full_bandwidth.py",
    "kornia/models/small_sr.py",
    "vit_pytorch/simple_vit_3d.py",
]


@pytest.fixture(scope="module")
def downloads():
    return download(read_list(), CACHE)


@pytest.fixture(scope="module")
def roots():
    return frozenset(package.root for package in read_list().package)


def test_sixty_are_drawn_and_none_is_swapped(downloads):
    packages = [package.root for package in read_list().package if package.drawn]
    order = drawing_order(downloads.sources, packages)
    models = drawn_models(order)
    assert len(models) == WANTED
    assert len({model.file.partition("/")[0] for model in models}) >= 8
    with pytest.raises(DrawingError, match="file 1 of the drawing"):
        drawn_models(order[1:])


@pytest.mark.parametrize("file", PASSING)
def test_a_model_file_is_ported_by_safe_fixes_alone(file, downloads, roots, tmp_path):
    model = next(model for model in drawn_models() if model.file == file)
    result = run_model(model, downloads, roots, tmp_path / "model", with_graph=False)
    assert "steps" in result.reached, f"{result.reached}: {result.problem}\n{result.trace}"


@pytest.mark.parametrize(
    ("text", "is_network"),
    [
        ("class A(nn.Module): pass", True),
        ("class A(B, torch.nn.Sequential): pass", True),
        ("class A(Module): pass", True),
        ("class A(Model): pass", False),
        ("nn.Module()", False),
    ],
)
def test_which_files_may_be_drawn(text, is_network):
    assert defines_network(text) is is_network


SOURCES = {
    "a/__init__.py": "from .big import *\nfrom .layers import Conv, Other\nVERSION = number()\n",
    "a/big.py": "import torch\n",
    "a/layers/__init__.py": "from .conv import Conv\nfrom .other import Other\n",
    "a/layers/conv.py": "class Conv: pass\n",
    "a/layers/other.py": "from b import everything\nclass Other: pass\n",
    "a/models/__init__.py": "from .net import Net\n",
    "a/models/net.py": "from ..layers import Conv\nimport os, c\ndef f():\n    from a import big\n",
    "a/models/by_name.py": "from a import layers\nx = layers.Conv\n",
    "b/__init__.py": "everything = 1\n",
}


@pytest.mark.parametrize(
    ("file", "files", "texts"),
    [
        (
            "a/models/net.py",
            ["a/layers/__init__.py", "a/layers/conv.py", "a/models/net.py"],
            {"a/layers/__init__.py": "from .conv import Conv\n"},
        ),
        (
            "a/models/by_name.py",
            ["a/__init__.py", "a/layers/__init__.py", "a/layers/conv.py", "a/models/by_name.py"],
            {"a/__init__.py": "", "a/layers/__init__.py": "from .conv import Conv\n"},
        ),
        ("a/layers/other.py", ["a/layers/other.py", "b/__init__.py"], {"b/__init__.py": "everything = 1\n"}),
    ],
)
def test_what_is_ported_with_a_file(file, files, texts, tmp_path):
    for path, text in SOURCES.items():
        place = tmp_path / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    closure = Closure(tmp_path, frozenset(("a", "b")), file)
    assert closure.files == files
    assert {path: closure.text(path) for path in texts} == texts
