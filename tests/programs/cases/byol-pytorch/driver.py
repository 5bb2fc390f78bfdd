import numpy as np
import torch
from torch import nn

from byol_pytorch.byol_pytorch import BYOL

SIZE = 16


class Flip(nn.Module):
    def forward(self, x):
        return torch.flip(x, dims=[-1]) * 0.9


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 8, 3, stride=2, padding=1)
        self.bn1 = nn.BatchNorm2d(8)
        self.conv2 = nn.Conv2d(8, 16, 3, stride=2, padding=1)
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.fc = nn.Linear(16, 10)

    def forward(self, x):
        x = torch.relu(self.bn1(self.conv1(x)))
        x = self.avgpool(torch.relu(self.conv2(x)))
        return self.fc(torch.flatten(x, 1))


def learner(**kwargs):
    return BYOL(
        Backbone(),
        image_size=SIZE,
        projection_size=12,
        projection_hidden_size=24,
        augment_fn=nn.Identity(),
        augment_fn2=Flip(),
        sem_num_simplices=4,
        **kwargs,
    )


def build():
    momentum = learner(hidden_layer="avgpool", moving_average_decay=0.9, use_simplicial_embeddings=False)
    simplicial = learner(hidden_layer=-2, moving_average_decay=0.9)
    simsiam = learner(hidden_layer=-1, use_momentum=False, use_simplicial_embeddings=False)
    return momentum, simplicial, simsiam


def images(seed):
    return torch.from_numpy(np.random.RandomState(seed).randn(6, 3, SIZE, SIZE).astype("float32"))


def forward(*learners):
    outputs = {}
    for number, net in enumerate(learners):
        net.eval()
        projection, embedding = net(images(0), return_embedding=True)
        outputs[f"projection_{number}"] = projection
        outputs[f"embedding_{number}"] = embedding
        outputs[f"loss_{number}"] = net(images(1))
    return outputs


def train(*learners):
    """The loop of the read-me."""
    results = {}
    for number, net in enumerate(learners):
        opt = torch.optim.Adam(net.parameters(), lr=3e-4)
        losses = []
        for step in range(3):
            loss = net(images(10 + step))
            opt.zero_grad()
            loss.backward()
            opt.step()
            if net.use_momentum:
                net.update_moving_average()
            losses.append(loss.item())
        results[f"losses_{number}"] = losses
        results[f"conv_{number}"] = net.net.conv1.weight
        results[f"projector_{number}"] = next(net.online_encoder.projector.parameters())
        results[f"predictor_{number}"] = net.online_predictor[0].weight
        if net.use_momentum:
            results[f"target_{number}"] = next(net.target_encoder.parameters())
            results[f"target_mean_{number}"] = net.target_encoder.net.bn1.running_mean
    return results
