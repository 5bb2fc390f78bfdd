"""Backbone, feature pyramid and decoupled head."""

import math

import torch
from torch import nn
from torch.nn import functional as F

from .blocks import Bottleneck, ChannelAttention, ConvNormAct, SpatialPyramid, TokenMixer


class Backbone(nn.Module):
    """Three stages, each halving the resolution."""

    def __init__(self, width=16):
        super().__init__()
        self.stem = ConvNormAct(3, width, 3, stride=2)
        self.stages = nn.ModuleList()
        for stage in range(3):
            channels = width * 2**stage
            self.stages.append(
                nn.Sequential(
                    ConvNormAct(channels, channels * 2, stride=2),
                    Bottleneck(channels * 2),
                    ChannelAttention(channels * 2),
                )
            )
        self.pyramid = SpatialPyramid(width * 8)
        self.mixer = TokenMixer(width * 8)

    def forward(self, images):
        x = self.stem(images)
        features = []
        for stage in self.stages:
            x = stage(x)
            features.append(x)
        features[-1] = self.mixer(self.pyramid(features[-1]))
        return features


class Neck(nn.Module):
    """Top-down feature pyramid."""

    def __init__(self, channels, out_channels):
        super().__init__()
        self.lateral = nn.ModuleList(nn.Conv2d(c, out_channels, 1) for c in channels)
        self.smooth = nn.ModuleList(ConvNormAct(out_channels, out_channels) for _ in channels)

    def forward(self, features):
        maps = [lateral(f) for lateral, f in zip(self.lateral, features)]
        for i in range(len(maps) - 1, 0, -1):
            maps[i - 1] = maps[i - 1] + F.interpolate(maps[i], scale_factor=2, mode="nearest")
        return [smooth(m) for smooth, m in zip(self.smooth, maps)]


class Head(nn.Module):
    """Separate branches for class, box and objectness; one cell predicts one box."""

    def __init__(self, channels, classes, prior=0.01):
        super().__init__()
        self.cls_branch = nn.Sequential(ConvNormAct(channels, channels), nn.Conv2d(channels, classes, 1))
        self.box_branch = nn.Sequential(ConvNormAct(channels, channels), nn.Conv2d(channels, 4, 1))
        self.obj_branch = nn.Conv2d(channels, 1, 1)
        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                nn.init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")
                if module.bias is not None:
                    nn.init.zeros_(module.bias)
        # Start from rare objects, so that the first steps are not spent on the background.
        nn.init.constant_(self.obj_branch.bias, -math.log((1 - prior) / prior))

    def forward(self, maps):
        outputs = []
        for level, m in enumerate(maps):
            stride = 4 * 2**level
            boxes = self.box_branch(m)
            grid_y, grid_x = torch.meshgrid(
                torch.arange(m.shape[2], device=m.device), torch.arange(m.shape[3], device=m.device), indexing="ij"
            )
            grid = torch.stack((grid_x, grid_y), dim=0).to(m.dtype)
            centre = (boxes[:, :2] + grid) * stride
            size = torch.exp(boxes[:, 2:].clamp(max=6.0)) * stride
            out = torch.cat((centre, size, self.obj_branch(m), self.cls_branch(m)), 1)
            outputs.append(out.flatten(start_dim=2))
        return torch.cat(outputs, dim=2).permute(0, 2, 1)


class Detector(nn.Module):
    """Images of shape (batch, 3, height, width) -> predictions (batch, cells, 5 + classes)."""

    def __init__(self, classes=10, width=16):
        super().__init__()
        self.backbone = Backbone(width)
        self.neck = Neck([width * 2, width * 4, width * 8], width * 4)
        self.head = Head(width * 4, classes)

    def forward(self, images):
        return self.head(self.neck(self.backbone(images)))

    @torch.no_grad()
    def detect(self, images, threshold=0.5, limit=100):
        """The best `limit` boxes of each image with their scores and classes."""
        self.eval()
        predictions = self(images)
        scores, labels = (predictions[..., 4:5].sigmoid() * predictions[..., 5:].softmax(-1)).max(dim=-1)
        limit = min(limit, scores.size(1))
        best, index = torch.topk(scores, limit, dim=1)
        boxes = predictions[..., :4].gather(1, index.unsqueeze(-1).repeat(1, 1, 4))
        keep = best > threshold
        return [(b[k], s[k], c[k]) for b, s, c, k in zip(boxes, best, labels.gather(1, index), keep)]
