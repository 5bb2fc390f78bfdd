"""A package's __init__ re-exports names; a submodule and an exported class may share a name."""

import models
from models import Net, build, resnet

answer = (Net().width, build().width, callable(resnet), models.resnet is resnet, models.VERSION)
