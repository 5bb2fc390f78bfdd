from .net import Net
from .net import Net as _Net
from .resnet import resnet

VERSION = ".".join(map(str, (1, 2)))


def build():
    return resnet(_Net)
