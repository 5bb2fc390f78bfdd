"""Layer classes by getattr from nn, with a fallback when there is none of that name."""

import torch.nn as nn

layers = []
failed = []
for name, arguments in [
    ("Linear", (4, 8)),
    ("Swish", ()),
    ("ReLU6", ()),
    ("Bilinear", (2, 3, 4)),
    ("Linear", ("x",)),
]:
    try:
        layers.append(getattr(nn, name)(*arguments))
    except AttributeError:
        layers.append(nn.Identity())
    except TypeError:
        failed.append(name)
    else:
        failed.append(None)
answer = nn.Sequential(*layers)
answer_failed = failed
answer_default = getattr(nn, "NoSuchLayer", nn.Identity) is nn.Identity
