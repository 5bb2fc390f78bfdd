import argparse
import tempfile

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

import torchreid
from torchreid.data.sampler import RandomIdentitySampler
from torchreid.losses import CrossEntropyLoss, TripletLoss
from torchreid.models.hacnn import HACNN
from torchreid.utils import re_ranking

PEOPLE = 4


class MadeUp(Dataset):
    """Gives what torchreid's ImageDataset gives, without files."""

    def __init__(self, seed, size, height=64, width=32):
        rng = np.random.RandomState(seed)
        faces = np.random.RandomState(100).rand(PEOPLE, 3, height, width)
        self.pids = np.arange(size) % PEOPLE
        self.camids = np.arange(size) // PEOPLE % 2
        self.images = (faces[self.pids] + 0.3 * rng.randn(size, 3, height, width)).astype("float32")

    def __len__(self):
        return len(self.pids)

    def __getitem__(self, index):
        return {
            "img": torch.from_numpy(self.images[index]),
            "pid": int(self.pids[index]),
            "camid": int(self.camids[index]) + 0,
            "impath": str(index),
            "dsetid": 0,
        }


def manager():
    query, gallery = MadeUp(1, 4), MadeUp(2, 16)
    query.camids = query.camids + 2
    return argparse.Namespace(
        train_loader=DataLoader(MadeUp(0, 16), batch_size=8, shuffle=False, drop_last=True),
        test_loader={
            "made-up": {"query": DataLoader(query, batch_size=4), "gallery": DataLoader(gallery, batch_size=8)}
        },
        sources=["made-up"],
        num_train_pids=PEOPLE,
    )


def build():
    return (
        torchreid.models.build_model("osnet_x0_25", PEOPLE, loss="triplet", pretrained=False, use_gpu=False),
        torchreid.models.build_model("osnet_ain_x0_25", PEOPLE, loss="softmax", pretrained=False),
        HACNN(PEOPLE, loss="softmax", nchannels=[16, 32, 32], feat_dim=16, use_gpu=False),
        torchreid.models.build_model("shufflenet_v2_x0_5", PEOPLE, loss="triplet", pretrained=False),
    )


def batch(seed, size=4, height=64, width=32):
    data = MadeUp(seed, size, height, width)
    return torch.from_numpy(data.images), torch.from_numpy(data.pids.astype("int64"))


def forward(osnet, ain, hacnn, shuffle):
    x, pids = batch(3)
    for net in osnet, ain, hacnn, shuffle:
        net.eval()
    features = osnet(x)
    other = torch.from_numpy(np.random.RandomState(7).randn(6, features.size(1)).astype("float32"))

    def ranked():
        distances = torchreid.metrics.compute_distance_matrix(features.detach(), other, "cosine").numpy()
        between = torchreid.metrics.compute_distance_matrix(other, other).numpy()
        own = torchreid.metrics.compute_distance_matrix(features.detach(), features.detach()).numpy()
        again = re_ranking(distances, own, between, k1=3, k2=2)
        return torch.from_numpy(np.asarray(again))

    return {
        "osnet": features,
        "maps": lambda: osnet(x, return_featuremaps=True),
        "ain": lambda: ain(x),
        "hacnn": lambda: hacnn(batch(4, 2, 160, 64)[0]),
        "shuffle": lambda: shuffle(x),
        "euclidean": lambda: torchreid.metrics.compute_distance_matrix(features, other, "euclidean"),
        "triplet": lambda: TripletLoss(margin=0.3)(torch.cat([features, features * 1.1]), torch.cat([pids, pids])),
        "smooth": lambda: CrossEntropyLoss(PEOPLE, use_gpu=False)(features[:, :PEOPLE], pids),
        "accuracy": lambda: torchreid.metrics.accuracy(features[:, :PEOPLE], pids, topk=(1, 2)),
        "ranked": ranked,
    }


def train(osnet, ain, hacnn, shuffle):
    data = manager()
    np.random.seed(5)
    ids = list(RandomIdentitySampler([("", pid, 0, 0) for pid in MadeUp(0, 16).pids], 8, 2))
    with tempfile.TemporaryDirectory() as folder:
        optimizer = torchreid.optim.build_optimizer(
            osnet, optim="amsgrad", lr=1e-3, staged_lr=True, new_layers="classifier", base_lr_mult=0.1
        )
        scheduler = torchreid.optim.build_lr_scheduler(optimizer, lr_scheduler="cosine", max_epoch=3)
        engine = torchreid.engine.ImageTripletEngine(
            data, osnet, optimizer, margin=0.3, weight_t=0.7, weight_x=1, scheduler=scheduler, use_gpu=False
        )
        engine.run(
            save_dir=folder, max_epoch=2, print_freq=1, fixbase_epoch=1, open_layers="classifier", ranks=[1, 2]
        )
    rates = [group["lr"] for group in optimizer.param_groups]
    optimizer = torchreid.optim.build_optimizer(ain, optim="radam", lr=1e-3)
    scheduler = torchreid.optim.build_lr_scheduler(optimizer, lr_scheduler="multi_step", stepsize=[1, 2])
    engine = torchreid.engine.ImageSoftmaxEngine(data, ain, optimizer, scheduler=scheduler, use_gpu=False)
    engine.max_epoch = 2
    engine.train(print_freq=1)
    losses = []
    optimizer = torchreid.optim.build_optimizer(hacnn, optim="sgd", lr=0.01, sgd_nesterov=True)
    data.train_loader = DataLoader(MadeUp(8, 8, 160, 64), batch_size=4)
    engine = torchreid.engine.ImageSoftmaxEngine(data, hacnn, optimizer, use_gpu=False)
    engine.set_model_mode("train")
    for step in data.train_loader:
        losses.append(engine.forward_backward(step)["loss"])
    return {
        "rates": rates,
        "sampled": [int(i) for i in sorted(ids)],
        "losses": losses,
        "osnet": osnet.classifier.weight,
        "base": osnet.conv1.conv.weight,
        "ain": ain.classifier.weight,
        "hacnn": hacnn.classifier_global.weight,
    }
