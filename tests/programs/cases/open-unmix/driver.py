import os
import sys
from types import SimpleNamespace

import numpy as np
import torch

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "scripts"))

import train as training  # noqa: E402

from openunmix import data, filtering, model, transforms, utils  # noqa: E402

FFT, HOP, BINS = 64, 16, 33


def wave(seed, count=2, channels=2, length=400):
    rng = np.random.RandomState(seed)
    return torch.from_numpy((0.3 * rng.randn(count, channels, length)).astype("float32"))


def build():
    mean = np.random.RandomState(0).rand(BINS).astype("float32")
    one = model.OpenUnmix(BINS, 2, 16, 2, input_mean=mean, input_scale=1 + mean, max_bin=20)
    other = model.OpenUnmix(BINS, 2, 16, 1, unidirectional=True)
    for net in (one, other):
        net.lstm.dropout = 0.0
    return one, other


def separator(one, other, **more):
    made = model.Separator({"vocals": one, "drums": other}, n_fft=FFT, n_hop=HOP, nb_channels=2, **more)
    made.freeze()
    return made


def forward(one, other):
    one.eval()
    other.eval()
    stft, istft = transforms.make_filterbanks(FFT, HOP, center=True)
    norm = transforms.ComplexNorm(mono=False)
    mono = transforms.ComplexNorm(mono=True)
    x = wave(1)
    X = stft(x)
    spectra = torch.abs(wave(2, 7, BINS * 2, 2)).reshape(7, BINS, 2, 2)
    mix = X[0].permute(2, 1, 0, 3)[:7]

    def filtered(**more):
        # The signs of a mixture are changed where it is filtered: what it was given stays whole.
        given = mix.clone()
        return [filtering.wiener(spectra.clone(), given, **more), given]

    def angles():
        y, x = wave(5, 1, 3, 6)[0], wave(6, 1, 3, 6)[0]
        x[0, :3] = 0.0
        y[0, 1:4] = 0.0
        return [filtering.atan2(y, x), x]

    return {
        "stft": X,
        "istft": lambda: istft(X, length=400),
        "mono": lambda: mono(X),
        "one": lambda: one(norm(X)),
        "other": lambda: other(norm(X)),
        "angle": angles,
        "phase": lambda: filtered(iterations=0),
        "mask": lambda: filtered(iterations=0, softmask=True),
        "residual": lambda: filtered(iterations=1, residual=True),
        "refined": lambda: filtered(iterations=2),
        "inverse": lambda: filtering._invert(wave(7, 4, 2, 4).reshape(4, 2, 2, 2)),
        "scaled": lambda: filtering._mul(mix, mix, mix.clone()),
        "separated": lambda: separator(one, other, niter=1, wiener_win_len=9)(x),
        "separated_residual": lambda: separator(one, other, niter=0, residual=True, wiener_win_len=None)(x),
        "named": lambda: list(
            separator(one, other)
            .to_dict(separator(one, other)(x), {"all": ["vocals", "drums"], "rest": ["drums"]})
            .values()
        ),
        "stereo": lambda: utils.preprocess(wave(3)[0, 0], 44100.0, 44100.0),
        "turned": lambda: utils.preprocess(wave(3)[0].t(), 44100.0, 44100.0),
        "bins": lambda: torch.tensor(int(utils.bandwidth_to_max_bin(44100, FFT, 16000))),
    }


class Songs(torch.utils.data.Dataset):
    sample_rate = 44100

    def __len__(self):
        return 6

    def __getitem__(self, index):
        mixture = wave(20 + index)[0]
        return mixture, 0.5 * mixture + 0.1


def train(one, other):
    args = SimpleNamespace(quiet=True)
    encoder = torch.nn.Sequential(
        transforms.make_filterbanks(FFT, HOP, center=True)[0], transforms.ComplexNorm(mono=False)
    )
    sampler = torch.utils.data.DataLoader(Songs(), batch_size=2, shuffle=False)
    results = {}
    for name, net in (("one", one), ("other", other)):
        optimizer = torch.optim.Adam(net.parameters(), lr=1e-3, weight_decay=1e-5)
        scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.3, patience=0, cooldown=1)
        stopping = utils.EarlyStopping(patience=2)
        losses = []
        for epoch in range(2):
            losses.append(training.train(args, net, encoder, "cpu", sampler, optimizer))
            valid = training.valid(args, net, encoder, "cpu", sampler)
            scheduler.step(valid)
            stopping.step(valid)
            losses.append(valid)
        os.makedirs("kept", exist_ok=True)
        state = {
            "state_dict": net.state_dict(),
            "optimizer": optimizer.state_dict(),
            "scheduler": scheduler.state_dict(),
        }
        utils.save_checkpoint(state, True, "kept", name)
        checkpoint = torch.load("kept/" + name + ".chkpnt")
        net.load_state_dict(checkpoint["state_dict"], strict=False)
        optimizer.load_state_dict(checkpoint["optimizer"])
        scheduler.load_state_dict(checkpoint["scheduler"])
        losses.append(training.train(args, net, encoder, "cpu", sampler, optimizer))
        results[name + "_losses"] = torch.tensor(losses)
        results[name + "_fc1"] = net.fc1.weight
        results[name + "_scale"] = net.output_scale
        results[name + "_lstm"] = net.lstm.weight_hh_l0
        results[name + "_running"] = net.bn2.running_var
    gain = data.Compose([data._augment_gain])
    np.random.seed(0)
    results["gain"] = gain(wave(9)[0]).shape
    return {
        key: torch.tensor(value) if isinstance(value, torch.Size) else value for key, value in results.items()
    }
