import os
import pickle
import sys
import tempfile
import types

import numpy as np
import torch

import train_supervised as program
import util
from dataset.transform_cfg import transform_D
from eval import meta_eval
from models.convnet import convnet4
from models.resnet import DropBlock, resnet12, seresnet12
from models.util import create_model, get_teacher_name

CLASSES = 60
PLAIN = transform_D[1]


def build():
    return (
        create_model("convnet4", CLASSES, "FC100"),
        create_model("seresnet12", CLASSES, "FC100"),
        resnet12(avg_pool=True, num_classes=10),
    )


def init():
    torch.manual_seed(1)
    net, plain = seresnet12(avg_pool=True, num_classes=64), convnet4(num_classes=64)
    return {
        "conv": net.layer2[0].conv2.weight,
        "squeeze": net.layer2[0].se.fc[0].weight,
        "head": net.classifier.weight,
        "plain": plain.layer3[0].weight,
    }


def array(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def masked():
    mask = torch.from_numpy((np.random.RandomState(5).rand(2, 3, 5, 5) < 0.1).astype("float32"))
    return [DropBlock(size)._compute_block_mask(one) for size in (2, 3) for one in (mask, torch.zeros(1, 2, 4, 4))]


def dropped():
    torch.manual_seed(2)
    out = DropBlock(2)(torch.ones(20, 4, 8, 8), gamma=0.1)
    return [list(out.shape), abs(float(out.mean()) - 1) < 1e-4, 0.05 < float((out == 0).float().mean()) < 0.7]


def forward(net, squeezed, plain):
    for one in (net, squeezed, plain):
        one.eval()
    scores, labels = array(1, 6, 7), torch.tensor([1, 0, 3, 6, 2, 2])
    rows, queries = np.random.RandomState(3).randn(5, 6), np.random.RandomState(4).randn(10, 6)
    classes = np.arange(5)
    return {
        "features": lambda: (lambda found: [*found[0], found[1]])(net(array(6, 2, 3, 32, 32), is_feat=True)),
        "squeezed": lambda: squeezed(array(7, 2, 3, 32, 32)),
        "plain": lambda: plain(array(8, 2, 3, 32, 32)),
        "masked": masked,
        "dropped": dropped,
        "smoothed": lambda: util.LabelSmoothing(0.1)(scores, labels),
        "accuracy": lambda: program.accuracy(scores, labels, topk=(1, 3)),
        "normalized": lambda: meta_eval.normalize(array(9, 3, 5)),
        "nearest": lambda: meta_eval.NN(rows, classes, queries),
        "cosine": lambda: meta_eval.Cosine(rows, classes, queries),
        "proto": lambda: meta_eval.Proto(rows, classes, queries, types.SimpleNamespace(n_ways=5, n_shots=1)),
        "teacher": lambda: get_teacher_name("models/resnet12_FC100/last.pth") == "resnet12",
    }


class Board:
    """Stands for tensorboard_logger."""

    def __init__(self, logdir, flush_secs):
        self.values = []
        Board.last = self

    def log_value(self, name, value, step):
        self.values.append(float(value))


def written():
    os.makedirs("data/FC100")
    for seed, (name, rows, classes) in enumerate((("train", 8, 8), ("val", 6, 3), ("test", 24, 6))):
        draw = np.random.RandomState(seed)
        labels = list(np.arange(rows) % classes)
        images = draw.randint(0, 255, (rows, 32, 32, 3)).astype("uint8")
        with open(f"data/FC100/{name}.pickle", "wb") as file:
            pickle.dump({"data": images, "labels": labels}, file)


def run(name, net, *words):
    program.create_model = lambda *given: net
    sys.argv = ["train_supervised.py", "--dataset", "FC100", "--model", name, "--data_root", "data", "--epochs", "2",
                "--batch_size", "4", "--num_workers", "0", "--print_freq", "1", "--n_ways", "3", "--n_queries", "2",
                "--n_test_runs", "2", "--save_freq", "2", *words]  # fmt: skip
    program.main()
    return Board.last.values


def tested(net):
    options = program.parse_option()
    data = program.MetaCIFAR100(options, partition="test", train_transform=PLAIN, test_transform=PLAIN)
    loader = program.DataLoader(data, batch_size=1, shuffle=False)
    ways = {}
    for name in ("NN", "Cosine"):
        ways[name] = list(program.meta_test(net, loader, use_logit=name == "NN", classifier=name))
    data.n_aug_support_samples = 1
    ways["Proto"] = list(program.meta_test(net, loader, use_logit=False, classifier="Proto", opt=options))
    return list(ways.values())


def train(net, squeezed, plain):
    folder, words = os.getcwd(), sys.argv
    program.tb_logger.Logger = Board
    program.transforms_options["D"] = [PLAIN, PLAIN]
    meta_eval.metrics = types.SimpleNamespace(
        accuracy_score=lambda one, other: float(np.mean(np.asarray(one) == np.asarray(other)))
    )
    results = {}
    with tempfile.TemporaryDirectory() as here:
        os.chdir(here)
        try:
            written()
            results["convnet"] = run("convnet4", net, "--learning_rate", "0.02", "--cosine")
            results["tested"] = tested(net)
            results["resnet"] = run("seresnet12", squeezed, "--learning_rate", "0.01", "--lr_decay_epochs", "1,2")
            results["adam"] = run("resnet12", plain, "--adam", "--learning_rate", "1e-4")
            kept = [name for _, _, files in os.walk("models_pretrained") for name in files]
            results["kept"] = len(kept)
            path = "models_pretrained/convnet4_FC100_lr_0.02_decay_0.0005_trans_D_cosine_trial_1/convnet4_last.pth"
            again = convnet4(num_classes=CLASSES)
            again.load_state_dict(torch.load(path, weights_only=False)["model"])
            results["again"] = again.eval()(array(11, 2, 3, 32, 32))
        finally:
            os.chdir(folder)
            sys.argv = words
    return {
        **results,
        "conv": net.layer2[0].weight,
        "head": net.classifier.weight,
        "squeeze": squeezed.layer3[0].se.fc[2].weight,
        "deep": squeezed.layer4[0].conv3.weight,
        "mean": squeezed.layer2[0].bn2.running_mean,
        "batches": squeezed.layer1[0].num_batches_tracked,
        "plain": plain.layer1[0].downsample[0].weight,
    }
