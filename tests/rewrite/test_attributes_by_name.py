"""Methods of tensors that `getattr` gives for a written name are called as attributes."""

import pytest

from mindport.rewrite.attributes_by_name import attributes_by_name
from mindport.rewrite.text_edits import with_edits


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("y = getattr(x, 'detach')()\n", "y = x.detach()\n"),
        ("y = '🙂', getattr(x.y[0], \"view\")(-1, 2)\n", "y = '🙂', x.y[0].view(-1, 2)\n"),
        ("y = getattr((f(x)), 'cpu')().numpy()\n", "y = f(x).cpu().numpy()\n"),
        ("y = getattr(getattr(x, 'cpu')(), 'numpy')()\n", "y = x.cpu().numpy()\n"),
        ("y = getattr(  # 中文\n    x, 'add_')(1)\n", "y = x.add_(1)\n"),
    ],
)
def test_they_are_called_as_attributes(before, after):
    text = "import torch\n" + before
    assert with_edits(text, attributes_by_name(text)) == "import torch\n" + after


@pytest.mark.parametrize(
    "text",
    [
        "import torch\ny = getattr(x, 'detach', None)()\n",
        "import torch\ny = getattr(x, name)()\n",
        "import torch\ny = getattr(x, 'detach')\n",
        "import torch\ny = getattr(a or b, 'detach')()\n",
        "import torch\ny = getattr(x, 'own_method')()\n",
        "import torch\ny = getattr(x, 'class')()\n",
        "import torch\ny = getattr(x, '__len__')()\n",
        "import torch\ny = tools.getattr(x, 'detach')()\n",
        "import torch\ndef getattr(x, name): ...\ny = getattr(x, 'detach')()\n",
        "y = getattr(x, 'detach')()\n",
    ],
)
def test_what_stays(text):
    assert attributes_by_name(text) == []
