import random
import tempfile
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path

import numpy as np
import torch

from demucs import augment, solver, states
from demucs.apply import BagOfModels, TensorChunk, apply_model
from demucs.demucs import Demucs, LocalState
from demucs.evaluate import new_sdr
from demucs.hdemucs import HDemucs
from demucs.htdemucs import HTDemucs
from demucs.svd import svd_penalty
from demucs.transformer import create_2d_sin_embedding, create_sin_embedding_cape, get_elementary_mask

SOURCES, RATE = ["drums", "voice"], 4000


class Settings(dict):
    """Settings as the configuration files give them."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(name) from error


class Progress:
    """Goes through a loader and keeps what is logged."""

    def __init__(self, logger, loader, total, updates, name):
        self.loader = loader

    def __iter__(self):
        return iter(self.loader)

    def update(self, **logs):
        pass


class Link:
    def __init__(self):
        self.history = []

    def push_metrics(self, metrics):
        self.history.append(metrics)


class Experiment:
    def __init__(self, folder):
        self.folder, self.link = Path(folder), Link()


@contextmanager
def renamed(path):
    made = path.with_suffix(".tmp")
    yield made
    made.rename(path)


solver.write_and_rename, solver.LogProgress, solver.bold = renamed, Progress, str
solver.evaluate = lambda one, compute_sdr: {"nsdr": 1.0}
states.OmegaConf.to_container = lambda arguments, resolve: dict(arguments)


def build():
    wave = Demucs(
        SOURCES, channels=8, depth=3, resample=False, dconv_attn=1, dconv_lstm=2, norm_starts=1, norm_groups=2,
        samplerate=RATE, segment=0.25, lstm_layers=1,
    )  # fmt: skip
    hybrid = HDemucs(
        SOURCES, channels=4, nfft=1024, depth=5, dconv_attn=3, dconv_lstm=4, norm_starts=3, norm_groups=2, dconv_mode=3, dconv_depth=1,
        samplerate=RATE, segment=0.5, multi_freqs=[0.25, 0.5], multi_freqs_depth=1,
    )  # fmt: skip
    transformer = HTDemucs(
        SOURCES, channels=4, nfft=512, depth=2, dconv_comp=2, samplerate=RATE, segment=Fraction(1, 2), t_layers=3, t_heads=2,
        bottom_channels=8, norm_starts=1, norm_groups=2,
    )  # fmt: skip
    cape = HTDemucs(
        SOURCES, channels=4, nfft=512, depth=2, dconv_comp=2, samplerate=RATE, segment=Fraction(1, 2), t_layers=2, t_heads=2,
        t_emb="scaled", t_norm_first=False, t_cross_first=True, cac=False, wiener_iters=-1, end_iters=-1,
        t_norm_in_group=True, t_layer_scale=False, t_max_positions=400,
    )  # fmt: skip
    return wave, hybrid, transformer, cape


def numbers(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def parts():
    local = LocalState(8, heads=2, nfreqs=2, ndecay=3)
    with torch.no_grad():
        for seed, parameter in enumerate(local.parameters()):
            parameter.copy_(0.3 * numbers(seed, *parameter.shape))
    torch.manual_seed(0)
    return [
        local(numbers(40, 2, 8, 15)),
        create_2d_sin_embedding(8, 3, 5),
        create_sin_embedding_cape(6, 8, 2, mean_normalize=True, augment=False),
        get_elementary_mask(9, 7, "diag", 2, 3, 0, 0.9, "cpu"),
        get_elementary_mask(9, 7, "jmask", 2, 3, 0, 0.9, "cpu"),
        get_elementary_mask(9, 7, "global", 2, 3, 0, 0.9, "cpu"),
        new_sdr(numbers(1, 2, 2, 2, 50), numbers(2, 2, 2, 2, 50)),
    ]


def augmented():
    wav = numbers(5, 4, 2, 2, 60)
    shift = augment.Shift(8)
    first = shift.eval()(wav)
    assert shift.train()(wav).shape == first.shape
    return [
        first,
        augment.Shift(1, same=True)(wav),
        augment.FlipChannels()(wav).sum(2),
        augment.FlipSign()(wav).abs(),
        augment.Remix(group_size=2)(wav).view(2, 2, 2, 2, 60).sum(1),
        augment.Scale(min=2.0, max=2.0)(wav.clone()),
    ]


def chunks():
    mix = numbers(6, 1, 2, 40)
    chunk = TensorChunk(TensorChunk(mix, 5, 20), 2, 10)
    return [chunk.padded(16), chunk.padded(40), np.array(chunk.shape)]


def applied(wave, transformer):
    random.seed(3)
    found = []
    kept = []
    mix = numbers(7, 1, 2, 2300)
    found.append(apply_model(wave, mix, shifts=0, split=True, overlap=0.25, transition_power=2.0))
    found.append(apply_model(wave, mix, shifts=2, split=False))
    found.append(apply_model(transformer, mix, shifts=0, segment=0.5, callback=kept.append))
    bag = BagOfModels([wave, transformer], weights=[[1.0, 0.5], [0.25, 1.0]])
    found.append(apply_model(bag, mix, shifts=0, num_workers=0))
    return [*found, np.array([one["segment_offset"] for one in kept]), np.array(float(bag.max_allowed_segment))]


def kept(net):
    folder = Path(tempfile.mkdtemp())
    package = states.serialize_model(net, Settings(epochs=1))
    states.save_with_checksum(package, folder / "model.th")
    again = states.load_model(next(folder.glob("model-*.th")))
    again.eval()
    return [again(numbers(8, 1, 2, 700)), np.array(package["state"]["decoder.0.0.weight"].dtype == torch.float16)]


def forward(wave, hybrid, transformer, cape):
    for net in (wave, hybrid, transformer, cape):
        net.eval()
    with torch.no_grad():
        return {
            "wave": lambda: wave(numbers(1, 2, 2, 1100)),
            "hybrid": lambda: hybrid(numbers(2, 1, 2, 2000)),
            "transformer": lambda: transformer(numbers(3, 1, 2, 1800)),
            "cape": lambda: cape(numbers(4, 1, 2, 2000)),
            "parts": parts,
            "augmented": augmented,
            "chunks": chunks,
            "applied": lambda: applied(wave, transformer),
            "kept": lambda: kept(wave),
            "penalty": lambda: svd_penalty(wave, min_size=0.001, exact=True),
        }


def arguments(**others):
    none = Settings(proba=0)
    settings = Settings(
        quant=Settings(diffq=0, qat=0), ema=Settings(batch=[0.5], epoch=[0.5]), flag=None, debug=False,
        dset=Settings(samplerate=RATE, shift=1 / RATE, train_valid=False),
        augment=Settings(
            shift_same=False, flip=False, scale=Settings(proba=1, min=1.0, max=1.0), remix=Settings(proba=1, group_size=1)
        ),
        continue_pretrained=None, continue_from=None, svd=Settings(penalty=0), max_batches=2, save_every=1,
        misc=Settings(num_prints=4), valid_apply=True, optim=Settings(loss="l1", clip_grad=0), weights=[1.0, 2.0],
        test=Settings(split=True, metric="loss", every=10, best=True, sdr=False), epochs=2,
    )  # fmt: skip
    settings.update(others)
    assert not none.proba
    return settings


def solved(net, folder, optimizer, length=600, **others):
    experiment = Experiment(folder)
    solver.get_xp = lambda: experiment
    loaders = {
        "train": [numbers(20 + seed, 2, 2, 2, length + 1) for seed in range(2)],
        "valid": [numbers(30, 1, 3, 2, length)],
    }
    one = solver.Solver(loaders, net, optimizer, arguments(**others))
    one.train()
    return one


def outcome(one):
    history = one.history
    keys = ("loss", "reco", "reco_voice")
    rows = [[float(metrics[part][key]) for key in keys] for metrics in history for part in ("train", "valid")]
    named = [metrics["valid"]["bname"] for metrics in history]
    return [
        np.array(rows),
        np.array([float(metrics["train"]["grad"]) for metrics in history]),
        np.array([float(metrics["valid"]["best"]) for metrics in history]),
        np.array([("main", "ema_batch_0", "ema_epoch_0").index(name) for name in named]),
    ]


def waves(net):
    folder = tempfile.mkdtemp()
    first = solved(net, folder, torch.optim.Adam(net.parameters(), lr=3e-4, betas=(0.9, 0.999)))
    again = Demucs(*net._init_args_kwargs[0], **net._init_args_kwargs[1])
    second = solved(again, folder, torch.optim.Adam(again.parameters(), lr=3e-4), epochs=3)
    best = states.load_model(Path(folder) / "best.th")
    return {
        "first": outcome(first),
        "again": outcome(second),
        "encoder": again.encoder[0][0].weight,
        "lstm": dict(again.named_parameters())["lstm.lstm.weight_hh_l0_reverse"],
        "ema": second.emas["epoch"][0].state["decoder.0.0.weight"],
        "best": best.state_dict()["decoder.2.0.bias"],
    }


def train(wave, hybrid, transformer, cape):
    results = {"wave_" + name: value for name, value in waves(wave).items()}

    def second():
        optimizer = torch.optim.Adam(hybrid.parameters(), lr=1e-3)
        one = solved(hybrid, tempfile.mkdtemp(), optimizer, 1000, epochs=1, optim=Settings(loss="mse", clip_grad=5.0),
                     valid_apply=False, ema=Settings(batch=[], epoch=[]))  # fmt: skip
        return [*outcome(one), hybrid.encoder[1].conv.weight, hybrid.freq_emb.embedding.weight]

    def third():
        groups = [transformer.make_optim_group() if hasattr(transformer, "make_optim_group") else {}]
        groups = [{"params": list(transformer.parameters()), "lr": 5e-4}, *[one for one in groups if one]]
        one = solved(transformer, tempfile.mkdtemp(), torch.optim.AdamW(groups, lr=1e-3), 1999, epochs=1,
                     test=Settings(split=True, metric="nsdr", every=10, best=False, sdr=False))  # fmt: skip
        return [*outcome(one), transformer.crosstransformer.layers[0].self_attn.in_proj_weight,
                transformer.crosstransformer.layers[1].cross_attn.in_proj_weight]  # fmt: skip

    return {**results, "hybrid": second, "transformer": third}


def init():
    wave = build()[0]
    return {"encoder": wave.encoder[1][0].weight, "decoder": wave.decoder[0][0].weight}
