"""One value of a configuration is unknown; layers from the other values are known."""

# given: lr in (0.1, 0.01)
# given: depth in (1, 2)
import torch.nn as nn

config = {"lr": lr, "depth": depth, "width": 4, "classes": 3}
config.update(width=config["width"] * 2)
body = nn.Sequential(*[nn.Linear(config["width"], config["width"]) for _ in range(config["depth"])])
head = nn.Linear(config["width"], config["classes"])
answer_body = body
answer_head = head
answer_lr = config["lr"]
answer_keys = list(config)
first = body[0]
answer_first = first
