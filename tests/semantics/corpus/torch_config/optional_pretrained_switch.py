"""A factory with defaults in a dict of names, a popped option and a head that is replaced afterwards."""

import torch.nn as nn

model_urls = {"tiny": None, "base": "https://example.org/base.pth"}
cfg = dict(tiny=dict(width=4, depth=1), base=dict(width=8, depth=2))


class Net(nn.Module):
    def __init__(self, width, depth, num_classes=10, in_chans=3):
        super().__init__()
        self.num_classes = num_classes
        self.stem = nn.Conv2d(in_chans, width, 1)
        self.blocks = nn.Sequential(*[nn.Conv2d(width, width, 1) for _ in range(depth)])
        self.head = nn.Linear(width, num_classes) if num_classes > 0 else nn.Identity()

    def reset_classifier(self, num_classes):
        self.num_classes = num_classes
        self.head = nn.Linear(self.stem.out_channels, num_classes)


def _create(variant, pretrained=False, **kwargs):
    classes = kwargs.pop("num_classes", 10)
    model = Net(**cfg[variant], num_classes=classes, **kwargs)
    if pretrained and model_urls[variant]:
        raise RuntimeError("no network")
    return model


def tiny(pretrained=False, **kwargs):
    return _create("tiny", pretrained, **kwargs)


answer = tiny(pretrained=True)
answer_base = _create("base", num_classes=0, in_chans=1)
answer.reset_classifier(3)
answer_head = answer.head
