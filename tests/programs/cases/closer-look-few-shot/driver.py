import numpy as np
import torch

import backbone
from methods.baselinetrain import BaselineTrain
from methods.maml import MAML
from methods.matchingnet import MatchingNet
from methods.protonet import ProtoNet

N_WAY, N_SUPPORT, N_QUERY = 3, 2, 2


def build():
    # As train.py does: the layers with fast weights are chosen by these attributes.
    backbone.ConvBlock.maml = True
    backbone.SimpleBlock.maml = True
    maml = MAML(backbone.Conv4S, n_way=N_WAY, n_support=N_SUPPORT)
    maml.n_task = 2
    maml.task_update_num = 2
    maml.n_query = N_QUERY
    backbone.ConvBlock.maml = False
    backbone.SimpleBlock.maml = False
    proto = ProtoNet(backbone.Conv4S, n_way=N_WAY, n_support=N_SUPPORT)
    proto.n_query = N_QUERY
    matching = MatchingNet(backbone.Conv4S, n_way=N_WAY, n_support=N_SUPPORT)
    matching.n_query = N_QUERY
    baseline = BaselineTrain(backbone.Conv4S, 4, loss_type="dist")
    return maml, proto, matching, baseline


def episode(seed):
    images = np.random.RandomState(seed).randn(N_WAY, N_SUPPORT + N_QUERY, 3, 28, 28)
    return torch.from_numpy(images.astype("float32"))


def forward(maml, proto, matching, baseline):
    for net in (maml, proto, matching, baseline):
        net.eval()
    images = episode(0)[:, 0]
    return {
        "features": proto(images),
        "proto": proto.set_forward(episode(1)),
        "matching": matching.set_forward(episode(1)),
        "baseline": baseline(images),
        "correct": proto.correct(episode(1))[0],
        "maml": maml(images),
        "adapted": lambda: maml.set_forward(episode(1)),
        "maml_loss": lambda: maml.set_forward_loss(episode(2)),
    }


def train(maml, proto, matching, baseline):
    loader = [(episode(10 + i), None) for i in range(4)]
    for net in (maml, proto, matching):
        net.train()
        optimizer = torch.optim.Adam(net.parameters())
        net.train_loop(0, loader, optimizer)

    baseline.train()
    optimizer = torch.optim.Adam(baseline.parameters())
    labelled = [(episode(20 + i)[0], torch.from_numpy(np.arange(4))) for i in range(3)]
    baseline.train_loop(0, labelled, optimizer)
    return {
        "maml": maml.classifier.weight,
        "maml_conv": maml.feature.trunk[0].C.weight,
        "proto": proto.feature.trunk[1].C.weight,
        "matching": matching.FCE.lstmcell.weight_hh,
        "baseline": baseline.classifier.L.weight_g,
        "accuracy": proto.test_loop(loader),
    }
