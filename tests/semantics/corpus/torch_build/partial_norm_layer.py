"""Norm layers handed in as partial or as a lambda, with a default decided inside."""

from functools import partial

import torch.nn as nn


class Block(nn.Module):
    def __init__(self, width, norm_layer=None, act_layer=nn.ReLU):
        super().__init__()
        if norm_layer is None:
            norm_layer = nn.BatchNorm2d
        self.conv = nn.Conv2d(width, width, 3, groups=width, bias=norm_layer is None)
        self.norm = norm_layer(width)
        self.act = act_layer()


answer = Block(8, partial(nn.BatchNorm2d, eps=1e-3))
answer_group = Block(8, lambda width: nn.GroupNorm(4, width), act_layer=partial(nn.PReLU, 8))
answer_plain = Block(8, norm_layer=partial(nn.BatchNorm2d, affine=False))
answer_eps = answer.norm.eps
