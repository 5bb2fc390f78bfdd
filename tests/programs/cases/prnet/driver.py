import argparse

import numpy as np
import torch
from torch.utils.data import DataLoader

import data
import main
from data import ModelNet40
from model import PRNet
from util import euler2mat, mat2euler, npmat2euler, pose_vec2mat

args = argparse.Namespace(
    exp_name="exp", model="prnet", emb_nn="dgcnn", attention="transformer", head="svd", n_emb_dims=16, n_blocks=1,
    n_heads=2, n_iters=2, discount_factor=0.9, n_ff_dims=24, n_keypoints=22, temp_factor=100, cat_sampler="softmax",
    dropout=0.0, batch_size=3, test_batch_size=3, epochs=2, use_sgd=False, lr=0.001, momentum=0.9, no_cuda=True, seed=1,
    eval=False, cycle_consistency_loss=0.1, feature_alignment_loss=0.1, gaussian_noise=False, unseen=False, n_points=36,
    n_subsampled_points=26, dataset="modelnet40", rot_factor=4, model_path="",
)  # fmt: skip
plain = argparse.Namespace(
    **{**vars(args), "emb_nn": "pointnet", "attention": "identity", "head": "mlp", "n_keypoints": 26, "use_sgd": True}
)


def clouds(partition):
    """What data.load_data reads from files, made up."""
    rng = np.random.RandomState(len(partition))
    return rng.rand(6, 40, 3).astype("float32"), rng.randint(0, 40, (6, 1)).astype("int64")


data.load_data = clouds
main._init_(args)


def build():
    return PRNet(args), PRNet(plain)


def init():
    torch.manual_seed(1)
    net = PRNet(argparse.Namespace(**{**vars(args), "n_emb_dims": 64}))
    return {
        "conv": net.acpnet.emb_nn.conv4.weight,
        "attention": net.acpnet.attention.model.encoder.layers[0].self_attn.linears[0].weight,
        "reflect": net.acpnet.head.reflect,
    }


def numbers(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def joined(outputs):
    return torch.cat([one.reshape(-1) for one in outputs])


def loader(partition, size):
    made = ModelNet40(args.n_points, num_subsampled_points=args.n_subsampled_points, partition=partition, rot_factor=4)
    return DataLoader(made, batch_size=size, shuffle=False, drop_last=False)


def matches(net, src, tgt):
    """One point for each: rows of zeros with a single one."""
    net.acpnet.head.cat_sampler = "gumbel_softmax"
    scores = net.acpnet.predict_keypoint_correspondence(src, tgt)[2]
    net.acpnet.head.cat_sampler = "softmax"
    return [list(scores.shape), [float(scores.sum()), float(scores.max()), float(scores.min())]]


def forward(net, other):
    net.eval()
    other.eval()
    src, tgt = numbers(0, 2, 3, 26), numbers(1, 2, 3, 26)
    angles = 0.3 * numbers(2, 2, 3)
    return {
        "net": lambda: joined(net(src, tgt)),
        "other": lambda: joined(other(src, tgt)[:4]),
        "predicted": lambda: joined(net.predict(src, tgt, n_iters=2)),
        "keypoints": lambda: net.acpnet.predict_embedding(src, tgt)[4],
        "matches": lambda: matches(net, src, tgt),
        "euler": lambda: mat2euler(euler2mat(angles)),
        "zyx": lambda: mat2euler(euler2mat(angles), seq="zyx"),
        "pose": lambda: joined(pose_vec2mat(numbers(3, 2, 7), rotation_mode="quat")),
        "degrees": lambda: npmat2euler(euler2mat(angles).numpy()),
        "tested": lambda: [net._test_one_epoch(0, loader("test", 3))[key] for key in ("loss", "r_ab_mae", "t_ab_rmse")],
    }


class Kept:
    def __init__(self):
        self.rows = []

    def write(self, info):
        self.rows.append([value for value in info.values() if not isinstance(value, str)])


def train(net, other):
    results = {}
    for name, settings, one in (("net", args, net), ("other", plain, other)):
        one.logger = Kept()
        main.train(settings, one, loader("test", 3), loader("test", 2))
        results[name + "_rows"] = np.array(one.logger.rows, dtype="float64")
    loaded = PRNet(plain)
    loaded.load("checkpoints/exp/models/model.1.t7")
    return {
        **results,
        "conv": net.acpnet.emb_nn.conv5.weight,
        "attention": net.acpnet.attention.model.encoder.layers[0].self_attn.linears[0].weight,
        "temperature": net.acpnet.temp_net.nn[9].weight,
        "iterations": net.acpnet.head.my_iter,
        "mlp": other.acpnet.head.proj_trans.weight,
        "loaded": loaded.acpnet.temp_net.nn[0].weight,
    }
