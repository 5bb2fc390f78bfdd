"""A function that only prepares data uses torch.

What it does
------------
Reports functions that only datasets, samplers, collate functions and transforms reach, and that call torch. What
the network or its training reaches, too, is not data code.

Why it matters
--------------
Data are prepared outside of the network, in processes of their own: there the migration guide advises NumPy,
OpenCV, PIL, pandas or `mindspore.dataset`, not MindSpore's operators. So no operator is missing for these calls.

Example
-------
    def __getitem__(self, index):
        return torch.from_numpy(self.images[index]).float()

Use instead
-----------
    def __getitem__(self, index):
        return self.images[index].astype(np.float32)

References
----------
The migration guide of MindSpore, "Analyzing API compliance".
"""

from __future__ import annotations

from mindport.model.finding import Severity
from mindport.model.language import later, say, translated
from mindport.model.target import Target
from mindport.rules.rule import Rule, RuleExample
from mindport.rules.wording import target_words
from mindport.usage.places import CodePlace, Topic

_SHOWN = 3
# What stands for the most usual calls, by the last part of their name.
_INSTEAD = {
    "from_numpy": later("the array itself"),
    "tensor": "np.array",
    "as_tensor": "np.asarray",
    "FloatTensor": "np.asarray(..., np.float32)",
    "LongTensor": "np.asarray(..., np.int64)",
    "stack": "np.stack",
    "cat": "np.concatenate",
    "zeros": "np.zeros",
    "ones": "np.ones",
    "arange": "np.arange",
    "unsqueeze": "np.expand_dims",
    "squeeze": "np.squeeze",
    "permute": "np.transpose",
    "view": "np.reshape",
    "clamp": "np.clip",
    "where": "np.where",
    "flip": "np.flip",
    "rand": "np.random.rand",
    "randn": "np.random.randn",
    "randint": "np.random.randint",
    "randperm": "np.random.permutation",
    "pad_sequence": later("np.pad to one length"),
    "float": "astype(np.float32)",
    "long": "astype(np.int64)",
    "DataLoader": "mindspore.dataset.GeneratorDataset",
    "load": "np.load",
    "manual_seed": "mindspore.dataset.config.set_seed",
    "default_collate": later("the `batch` of mindspore.dataset"),
}


def check(place: CodePlace, target: Target) -> str:
    """The message for a function of the data pipeline."""
    apis = place.name.split(",")
    words = [f"{_short(api)} -> {translated(instead)}" for api in apis if (instead := _instead(api))]
    shown = "; ".join(words[:_SHOWN]) or say("NumPy, OpenCV, PIL or pandas instead")
    return say(
        "`{text}` only prepares data, outside of the network on {target}: arrays do instead "
        "of tensors ({shown})",
        text=place.text,
        target=target_words(target),
        shown=shown,
    )


def _short(api: str) -> str:
    return api.removeprefix("torch.Tensor.") if api.startswith("torch.Tensor.") else api


def _instead(api: str) -> str:
    if api.startswith("torchvision.transforms."):
        return "mindspore.dataset.vision"
    return _INSTEAD.get(api.rpartition(".")[2], "")


_DATASET = (
    "import torch\nfrom torch.utils.data import Dataset\nclass A(Dataset):\n"
    "    def __getitem__(self, i):\n        "
)
RULE = Rule(
    code="MP601",
    name="torch-in-data-code",
    severity=Severity.INFORMATION,
    page=__doc__,
    topic=Topic.DATA,
    check_place=check,
    examples=(
        RuleExample(_DATASET + "return torch.from_numpy(self.x[i])\n", True),
        RuleExample(_DATASET + "return load(i)\ndef load(i):\n    return torch.zeros(3) + i\n", True),
        RuleExample("import torch\ndef my_collate(batch):\n    return torch.stack(batch)\n", True),
        RuleExample(
            "import torch\nfrom torchvision.transforms import Compose\nclass Noise:\n"
            "    def __call__(self, x):\n"
            "        return x + torch.rand(3)\nt = Compose([Noise()])\n",
            True,
        ),
        RuleExample(_DATASET + "return self.x[i]\n", False),
        RuleExample(
            "import torch\nfrom torch import nn\nclass A(nn.Module):\n    def forward(self, x):\n"
            "        return torch.relu(x)\n",
            False,
        ),
        RuleExample("import torch\ndef load(i):\n    return torch.zeros(3) + i\nload(1)\n", False),
    ),
)
