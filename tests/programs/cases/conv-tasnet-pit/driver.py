import argparse
import json
import os
import sys
import tempfile
import types

import numpy as np
import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "src"))

import data as recordings  # noqa: E402
import evaluate as evaluation  # noqa: E402
import separate as separation  # noqa: E402
from conv_tasnet import ConvTasNet  # noqa: E402
from data import AudioDataLoader, AudioDataset  # noqa: E402
from pit_criterion import cal_loss  # noqa: E402
from solver import Solver  # noqa: E402
from utils import overlap_and_add, remove_pad  # noqa: E402

RATE = 100


def loaded(path, sr):
    return np.load(path), sr


recordings.librosa = types.SimpleNamespace(load=loaded)


def net(norm_type, causal, mask):
    return ConvTasNet(8, 4, 6, 7, 3, 2, 2, 2, norm_type=norm_type, causal=causal, mask_nonlinear=mask)


def build():
    return net("gLN", False, "relu"), net("cLN", True, "softmax"), net("BN", False, "softmax")


def init():
    torch.manual_seed(1)
    one = ConvTasNet(1500, 20, 32, 64, 3, 2, 1, 2)
    return {
        "encoder": one.encoder.conv1d_U.weight,
        "decoder": one.decoder.basis_signals.weight,
        "depthwise": one.separator.network[2][0][0].net[3].net[0].weight,
        "gamma": one.separator.network[0].gamma,
    }


def sound(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def criterion():
    source, estimate = sound(3, 3, 3, 12), sound(4, 3, 3, 12)
    lengths = torch.LongTensor([12, 9, 10])
    loss, best, masked, ordered = cal_loss(source, estimate, lengths)
    return [loss, best, masked, ordered, estimate]


def forward(*nets):
    for one in nets:
        one.eval()
    mixture = sound(1, 2, 31)
    results = {name: (lambda one=one: one(mixture)) for name, one in zip(("global", "causal", "batch"), nets)}
    results["overlap"] = lambda: overlap_and_add(sound(2, 2, 2, 3, 4), 2)
    results["overlap_odd"] = lambda: overlap_and_add(sound(2, 2, 5, 6), 4)
    results["criterion"] = criterion
    results["unpadded"] = lambda: [*remove_pad(sound(5, 2, 2, 7), torch.LongTensor([7, 4]))]
    results["unpadded_flat"] = lambda: [*remove_pad(sound(6, 2, 7), torch.LongTensor([5, 7]))]
    return results


def folder_of(root, name, lengths):
    """The lists that preprocess.py writes, of made-up recordings."""
    folder = os.path.join(root, name)
    os.makedirs(folder)
    rng = np.random.RandomState(len(name))
    infos = {"mix": [], "s1": [], "s2": []}
    for index, length in enumerate(lengths):
        parts = {"s1": rng.randn(length), "s2": 0.5 * rng.randn(length)}
        parts["mix"] = parts["s1"] + parts["s2"]
        for part, samples in parts.items():
            path = os.path.join(folder, f"{part}{index}.npy")
            np.save(path, samples.astype("float32"))
            infos[part].append((path, length))
    for part, rows in infos.items():
        with open(os.path.join(folder, part + ".json"), "w") as f:
            json.dump(rows, f)
    return folder


def arguments(folder, **changes):
    given = dict(
        use_cuda=0, epochs=2, half_lr=1, early_stop=0, max_norm=5, save_folder=folder, checkpoint=1, continue_from="",
        model_path="final.pth.tar", print_freq=1, visdom=0, visdom_epoch=0, visdom_id="",
    )  # fmt: skip
    given.update(changes)
    return argparse.Namespace(**given)


def trained(one, optimizer, root):
    train_folder, valid_folder = folder_of(root, "train", [90, 62, 45]), folder_of(root, "valid", [51, 40])
    loaders = {
        "tr_loader": AudioDataLoader(
            AudioDataset(train_folder, 2, RATE, segment=0.4), batch_size=1, shuffle=False
        ),
        "cv_loader": AudioDataLoader(
            AudioDataset(valid_folder, 1, RATE, segment=-1, cv_maxlen=8), batch_size=1
        ),
    }
    model = torch.nn.DataParallel(one)
    solver = Solver(loaders, model, optimizer, arguments(root))
    solver.train()
    halved = Solver(
        loaders,
        model,
        optimizer,
        arguments(root, epochs=3, continue_from=os.path.join(root, "epoch1.pth.tar")),
    )
    halved.halving = True
    halved.train()
    path = os.path.join(root, "epoch3.pth.tar")
    package = torch.load(path)
    written = {}

    def write_wav(filename, samples, rate):
        written[os.path.basename(filename)] = samples

    separation.librosa.output = types.SimpleNamespace(write_wav=write_wav)
    separation.separate(
        argparse.Namespace(
            model_path=path, mix_dir=None, mix_json=os.path.join(valid_folder, "mix.json"), use_cuda=0, batch_size=2,
            sample_rate=RATE, out_dir=os.path.join(root, "out"),
        )
    )  # fmt: skip
    evaluation.evaluate(
        argparse.Namespace(
            model_path=path, data_dir=valid_folder, cal_sdr=0, use_cuda=0, sample_rate=RATE, batch_size=1
        )
    )
    again = ConvTasNet.load_model(path)
    return {
        "losses": solver.tr_loss,
        "validation": halved.cv_loss[1:],
        "halved": [group["lr"] for group in optimizer.param_groups],
        "epoch": [package["epoch"], package["N"], halved.start_epoch],
        "kept": again.encoder.conv1d_U.weight,
        "written": [written[name] for name in sorted(written)],
    }


def train(*nets):
    results = {}
    optimizers = (
        torch.optim.Adam(nets[0].parameters(), lr=0.01, weight_decay=0.001),
        torch.optim.SGD(nets[1].parameters(), lr=0.01, momentum=0.9, weight_decay=0.0),
        torch.optim.Adam(nets[2].parameters(), lr=0.003, weight_decay=0.0),
    )
    # evaluate.py loads with worker processes; here one is enough
    evaluation.AudioDataLoader = lambda dataset, batch_size, num_workers: AudioDataLoader(
        dataset, batch_size=batch_size
    )
    for name, one, optimizer in zip(("global", "causal", "batch"), nets, optimizers):
        with tempfile.TemporaryDirectory() as root:
            for key, value in trained(one, optimizer, root).items():
                results[f"{name}_{key}"] = value
        results[name + "_decoder"] = one.decoder.basis_signals.weight
        results[name + "_block"] = one.separator.network[2][1][0].net[0].weight
    return results
