"""Options in a namespace with defaults by getattr, and networks from *args and **kwargs."""

from types import SimpleNamespace

import torch.nn as nn


class Net(nn.Module):
    def __init__(self, *sizes, **options):
        super().__init__()
        options.setdefault("bias", True)
        norm = options.pop("norm", False)
        self.layers = nn.ModuleList()
        for a, b in zip(sizes, sizes[1:]):
            self.layers.append(nn.Linear(a, b, **options))
            if norm:
                self.layers.append(nn.LayerNorm(b))


args = SimpleNamespace(hidden=8, layers=2)
args.hidden *= 2
setattr(args, "norm", True)
options = {"norm": getattr(args, "norm", False), "bias": not getattr(args, "no_bias", False)}
answer = Net(4, *[args.hidden] * args.layers, 2, **options)
answer_plain = Net(3, 3, bias=False)
answer_options = options
answer_hidden = vars(args)
