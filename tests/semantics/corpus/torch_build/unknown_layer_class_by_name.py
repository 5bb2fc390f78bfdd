"""A layer class found by an unknown name; another found by a known one."""

# given: name in ("Linear", "Bilinear")
import torch.nn as nn

arguments = (2, 3) if name == "Linear" else (2, 2, 3)
layer = getattr(nn, name)(*arguments)
answer_layer = layer
answer_known = getattr(nn, "Lin" + "ear")(4, 4)
answer_pair = nn.ModuleList([answer_known, nn.Linear(1, 1)])
answer_is_module = isinstance(layer, nn.Module)
answer_outputs = layer.out_features
