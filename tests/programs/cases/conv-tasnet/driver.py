import json
import os
import sys
import tempfile
import types

import numpy as np
import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "src"))

RATE = 800


def load(path, sr=None):
    return np.load(path), sr


sys.modules["librosa"] = types.ModuleType("librosa")
sys.modules["librosa"].load = load
sys.modules["librosa"].output = None

from conv_tasnet import ConvTasNet  # noqa: E402
from data import AudioDataLoader, AudioDataset  # noqa: E402
from pit_criterion import cal_loss, cal_si_snr_with_pit, reorder_source  # noqa: E402
from solver import Solver  # noqa: E402
from train import main, parser  # noqa: E402
from utils import overlap_and_add, remove_pad  # noqa: E402


def build():
    return (
        ConvTasNet(8, 4, 6, 10, 3, 2, 2, 2, norm_type="gLN", causal=0, mask_nonlinear="relu"),
        ConvTasNet(8, 4, 6, 10, 3, 2, 1, 3, norm_type="cLN", causal=1, mask_nonlinear="softmax"),
        ConvTasNet(8, 4, 6, 10, 3, 2, 1, 2, norm_type="BN", causal=0, mask_nonlinear="relu"),
    )


def init():
    torch.manual_seed(1)
    model = ConvTasNet(64, 20, 40, 60, 3, 2, 1, 2)
    return {"encoder": model.encoder.conv1d_U.weight, "decoder": model.decoder.basis_signals.weight}


def numbers(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def write_data(folder, seed, lengths):
    """Two speakers and their mixture, as preprocess.py describes them."""
    rng = np.random.RandomState(seed)
    lists = {"mix": [], "s1": [], "s2": []}
    for number, length in enumerate(lengths):
        s1, s2 = rng.randn(2, length).astype("float32") * np.sin(
            np.arange(length) * np.array([[0.1], [0.23]])
        )
        for name, wave in (("mix", s1 + s2), ("s1", s1), ("s2", s2)):
            path = os.path.join(folder, "%s_%d.npy" % (name, number))
            np.save(path, wave.astype("float32"))
            lists[name].append([path, length])
    for name, infos in lists.items():
        with open(os.path.join(folder, name + ".json"), "w") as file:
            json.dump(infos, file)
    return folder


def pit(source, estimate):
    lengths = torch.tensor([40, 31])
    loss, max_snr, estimated, reordered = cal_loss(source, estimate.clone(), lengths)
    return torch.cat([loss.view(1), max_snr.view(-1), reordered.view(-1)])


def lengths_without_pad():
    return np.concatenate([one.reshape(-1) for one in remove_pad(numbers(8, 2, 3, 9), torch.tensor([9, 5]))])


def loaded():
    with tempfile.TemporaryDirectory() as folder:
        dataset = AudioDataset(write_data(folder, 3, [70, 50, 90]), 2, sample_rate=RATE, segment=0.05)
        loader = AudioDataLoader(dataset, batch_size=1, shuffle=False, num_workers=0)
        return torch.cat([torch.cat([mix.view(-1), source.view(-1)]) for mix, _, source in loader])


def forward(*nets):
    for net in nets:
        net.eval()
    mixture = numbers(0, 2, 40)
    return {
        "gLN": lambda: nets[0](mixture),
        "cLN": lambda: nets[1](mixture),
        "BN": lambda: nets[2](numbers(1, 2, 41)),
        "overlap": lambda: overlap_and_add(numbers(2, 2, 2, 5, 6), 4),
        "pit": lambda: pit(numbers(3, 2, 2, 40), numbers(4, 2, 2, 40)),
        "without_pad": lambda: lengths_without_pad(),
        "loaded": lambda: loaded(),
    }


def solve(model, folder, optimizer, **options):
    args = parser.parse_args(["--use_cuda", "0", "--print_freq", "1"])
    vars(args).update(epochs=2, save_folder=os.path.join(folder, "exp"), sample_rate=RATE, **options)
    train_dir, valid_dir = os.path.join(folder, "tr"), os.path.join(folder, "cv")
    os.makedirs(train_dir)
    os.makedirs(valid_dir)
    write_data(train_dir, 1, [90, 64, 80])
    write_data(valid_dir, 2, [50, 44])
    tr_dataset = AudioDataset(train_dir, 3, sample_rate=RATE, segment=0.05)
    cv_dataset = AudioDataset(valid_dir, batch_size=1, sample_rate=RATE, segment=-1, cv_maxlen=8)
    tr_loader = AudioDataLoader(tr_dataset, batch_size=1, shuffle=False, num_workers=0)
    cv_loader = AudioDataLoader(cv_dataset, batch_size=1, num_workers=0)
    solver = Solver({"tr_loader": tr_loader, "cv_loader": cv_loader}, model, optimizer, args)
    solver.train()
    return solver


def train(model, causal, normed):
    with tempfile.TemporaryDirectory() as folder:
        optimizer = torch.optim.Adam(model.parameters(), lr=1e-2, weight_decay=1e-3)
        solver = solve(model, folder, optimizer)
        restored = ConvTasNet.load_model(os.path.join(folder, "exp", "final.pth.tar"))
    with tempfile.TemporaryDirectory() as folder:
        optimizer = torch.optim.SGD(normed.parameters(), lr=1e-2, momentum=0.9)
        other = solve(normed, folder, optimizer, half_lr=1)
    return {
        "tr_loss": solver.tr_loss,
        "cv_loss": solver.cv_loss,
        "best": solver.best_val_loss,
        "restored": restored.encoder.conv1d_U.weight,
        "encoder": model.encoder.conv1d_U.weight,
        "decoder": model.decoder.basis_signals.weight,
        "sgd_loss": other.tr_loss,
        "sgd_decoder": normed.decoder.basis_signals.weight,
    }
