"""Which layer is taken is unknown, but the choices have equally many parameters, or none."""

# given: kind in ("relu", "gelu", "none")
import torch.nn as nn

activation = {"relu": nn.ReLU, "gelu": nn.GELU}.get(kind, nn.Identity)
answer = nn.Sequential(nn.Linear(3, 4), activation())
conv = nn.Conv1d(4, 8, 1) if kind == "relu" else nn.Linear(4, 8)
answer_conv = conv
width = 4 if kind == "none" else 8
answer_unknown = nn.Linear(2, width)
answer_bias = nn.Linear(2, 2, bias=kind != "none")
answer_type = type(activation()).__name__
