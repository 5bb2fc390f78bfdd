import argparse

import numpy as np
import torch
import torch.optim as optim
from torch.optim.lr_scheduler import MultiStepLR
from torch.utils.data import DataLoader

import data
import main
from data import ModelNet40
from model import DCP
from util import npmat2euler, quat2mat, transform_point_cloud

v2 = argparse.Namespace(
    exp_name="exp", model="dcp", emb_nn="dgcnn", pointer="transformer", head="svd", emb_dims=16, n_blocks=1,
    n_heads=2, ff_dims=24, dropout=0.0, batch_size=3, test_batch_size=3, epochs=2, use_sgd=False, lr=0.001,
    momentum=0.9, seed=1, eval=False, cycle=False, gaussian_noise=False, unseen=False, num_points=24, factor=4,
)  # fmt: skip
v1 = argparse.Namespace(**{**vars(v2), "emb_nn": "pointnet", "pointer": "identity", "cycle": True})
mlp = argparse.Namespace(**{**vars(v2), "emb_nn": "pointnet", "head": "mlp"})


def clouds(partition):
    """What data.load_data reads from files, made up."""
    rng = np.random.RandomState(len(partition))
    return rng.rand(6, 40, 3).astype("float32"), rng.randint(0, 40, (6, 1)).astype("int64")


data.load_data = clouds


def build():
    return DCP(v2), DCP(v1), DCP(mlp)


def init():
    torch.manual_seed(1)
    net = DCP(argparse.Namespace(**{**vars(v2), "emb_dims": 64}))
    return {
        "conv": net.emb_nn.conv4.weight,
        "attention": net.pointer.model.encoder.layers[0].self_attn.linears[0].weight,
        "norm": net.pointer.model.encoder.norm.a_2,
    }


def numbers(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def joined(outputs):
    return torch.cat([one.reshape(-1) for one in outputs])


def tested(args, net):
    loader = DataLoader(ModelNet40(args.num_points, "test"), batch_size=args.test_batch_size, drop_last=False)
    results = main.test_one_epoch(args, net, loader)
    return np.concatenate([np.array(results[:6]), np.ravel(results[8]), np.ravel(results[13])])


def forward(*nets):
    for net in nets:
        net.eval()
    src, tgt = numbers(0, 2, 3, 24), numbers(1, 2, 3, 24)
    quat = numbers(2, 2, 4)
    return {
        "v2": lambda: joined(nets[0](src, tgt)),
        "v1": lambda: joined(nets[1](src, tgt)),
        "mlp": lambda: joined(nets[2](src, tgt)),
        "embedding": lambda: nets[0].emb_nn(src),
        "quat2mat": lambda: quat2mat(quat),
        "transformed": lambda: transform_point_cloud(src, quat, numbers(3, 2, 3)),
        "euler": lambda: npmat2euler(quat2mat(quat / torch.norm(quat, dim=1, keepdim=True)).numpy()),
        "tested": lambda: tested(v1, nets[1]),
    }


def learn(args, net, opt):
    losses = []
    loader = DataLoader(ModelNet40(args.num_points, "test"), batch_size=args.batch_size, shuffle=False)
    scheduler = MultiStepLR(opt, milestones=[1, 150, 200], gamma=0.1)
    for epoch in range(args.epochs):
        results = main.train_one_epoch(args, net, loader, opt)
        losses.append(results[:6])
        scheduler.step()
    return np.array(losses), results[8]


def train(net, siamese, with_mlp):
    losses, rotations = learn(v2, net, optim.Adam(net.parameters(), lr=v2.lr, weight_decay=1e-4))
    others, _ = learn(
        v1, siamese, optim.SGD(siamese.parameters(), lr=v1.lr * 100, momentum=v1.momentum, weight_decay=1e-4)
    )
    third, _ = learn(mlp, with_mlp, optim.Adam(with_mlp.parameters(), lr=mlp.lr, weight_decay=1e-4))
    return {
        "losses": losses,
        "rotations": rotations,
        "sgd_losses": others,
        "mlp_losses": third,
        "conv": net.emb_nn.conv5.weight,
        "attention": net.pointer.model.encoder.layers[0].self_attn.linears[0].weight,
        "sgd_conv": siamese.emb_nn.conv1.weight,
        "mlp": with_mlp.head.proj_trans.weight,
    }
