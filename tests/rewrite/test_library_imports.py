"""What a file imports of a library leads to the module with these parts of it, and nothing else of the file changes."""

from __future__ import annotations

import pytest

from mindport.registry.library_parts import parts_of
from mindport.rewrite.library_imports import LibraryImports
from mindport.rewrite.text_edits import with_edits


def led(text: str, package: str = "") -> str:
    parts = parts_of("timm")
    assert parts is not None
    return with_edits(text, LibraryImports(text, parts, parts.idle([text])).edits(package))


LED = [
    (
        "from timm.models.layers import DropPath, trunc_normal_  # 层 🙂\n",
        "",
        "from timm_parts import DropPath, trunc_normal_  # 层 🙂\n",
    ),
    ("from timm.layers import Mlp as M\n", ".", "from .timm_parts import Mlp as M\n"),
    (
        "from timm.layers import (\n    Mlp,\n    DropPath)\n",
        "..",
        "from ..timm_parts import (\n    Mlp,\n    DropPath)\n",
    ),
    ("from timm.utils import accuracy\n", "models.parts", "from models.parts.timm_parts import accuracy\n"),
    # What has no part stays in a statement of its own.
    (
        "def f():\n    from timm.layers import Mlp, ClassifierHead\n    return Mlp\n",
        "",
        "def f():\n    from timm.layers import ClassifierHead\n    from timm_parts import Mlp\n    return Mlp\n",
    ),
    (
        "x = 1; from timm.layers import Mlp, Head\n",
        "",
        "x = 1; from timm.layers import Head; from timm_parts import Mlp\n",
    ),
    # Modules that only parts are asked of.
    (
        "x = '层 🙂'; import timm.models.layers as l; y = (x, l.DropPath(0.1))\n",
        "",
        "x = '层 🙂'; import timm_parts; y = (x, timm_parts.DropPath(0.1))\n",
    ),
    (
        "import timm\nassert timm.__version__ == '0.3.2'  # version\nimport timm.models.vision_transformer\n"
        "class V(timm.models.vision_transformer.VisionTransformer):\n    pass\n",
        ".",
        "from . import timm_parts\nclass V(timm_parts.VisionTransformer):\n    pass\n",
    ),
    ("import timm\nfrom timm.utils import accuracy\n", "", "from timm_parts import accuracy\n"),
    ("def f():\n    import timm\n", "", "def f():\n    pass\n"),
    ("def f():\n    import timm  # later\n    return 1\n", "", "def f():\n    pass  # later\n    return 1\n"),
    (
        "if x:\n    import timm\n    assert timm.__version__ == '1.0'\n",
        "",
        "if x:\n    pass\n    pass\n",
    ),
    (
        "from timm.layers import Mlp, Head\r\nx = 1\r\n",
        "",
        "from timm.layers import Head\r\nfrom timm_parts import Mlp\r\nx = 1\r\n",
    ),
    # Everything: what the file reads and does not make.
    (
        "from timm.utils import *  # 层 🙂\nmeter = AverageMeter()\naccuracy(meter, __file__)\n",
        "",
        "from timm_parts import AverageMeter, accuracy  # 层 🙂\nmeter = AverageMeter()\naccuracy(meter, __file__)\n",
    ),
    (
        "from timm.utils import *\nfrom timm.loss import *\nf = lambda accuracy: SoftTargetCrossEntropy(accuracy)\n",
        ".",
        "from .timm_parts import SoftTargetCrossEntropy\nf = lambda accuracy: SoftTargetCrossEntropy(accuracy)\n",
    ),
    (
        "from timm.utils import *\nset_jit_fuser('te')\nmeter = AverageMeter()\n",
        "",
        "from timm.utils import set_jit_fuser\nfrom timm_parts import AverageMeter\nset_jit_fuser('te')\nmeter ="
        " AverageMeter()\n",
    ),
    (
        "from timm.utils import *\nfrom timm.utils import accuracy\nset_jit_fuser('te')\n",
        "",
        "from timm.utils import set_jit_fuser\nfrom timm_parts import accuracy\nset_jit_fuser('te')\n",
    ),
    (
        "from timm.utils import *\nfrom own import *\nf(AverageMeter, mine)\n",
        "",
        "from timm_parts import AverageMeter\nfrom own import *\nf(AverageMeter, mine)\n",
    ),
    (
        "try:\n    from timm.utils import *\n    from timm.loss import *\nexcept:\n    pass\nAverageMeter()\n",
        "",
        "try:\n    from timm_parts import AverageMeter\n    pass\nexcept:\n    pass\nAverageMeter()\n",
    ),
]
KEPT = [
    "from timm.models.resnet import BasicBlock\n",
    "from .timm.layers import Mlp\n",
    "from .timm.utils import *\nmeter = AverageMeter()\n",
    "from timm.utils import *\n",
    "from timmy.utils import *\nmeter = AverageMeter()\n",
    "from timmy.layers import Mlp\n",
    "import timm\nnet = timm.list_models()\n",
    "import timm\nnet = timm.create_model('vit_base_patch16_224')\n",  # one of timm's own
    "import timm.layers as l\nx = l.DropPath(), l.ClassifierHead()\n",
    "import timm\nkind = getattr(timm, 'create_model')\n",
    "import timm\nprint(timm.__version__)\n",
    "import torch\n",
    "from timm.layers import (\n",
]


@pytest.mark.parametrize(("text", "package", "expected"), LED)
def test_parts_are_led_to_their_module(text: str, package: str, expected: str) -> None:
    assert led(text, package) == expected
    assert led(expected, package) == expected


@pytest.mark.parametrize("text", KEPT)
def test_other_names_stay(text: str) -> None:
    assert led(text) == text
