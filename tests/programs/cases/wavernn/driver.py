import os
import random

import numpy as np
import torch
import torch.nn.functional as F
from torch import optim
from torch.utils.data import DataLoader

from utils import hparams as hp

with open("hparams.py", encoding="utf-8") as f, open("small_hparams.py", "w", encoding="utf-8") as small:
    small.write(f.read())
    small.write(
        "voc_rnn_dims = voc_fc_dims = 16\nvoc_compute_dims = voc_res_out_dims = 16\nvoc_res_blocks = 2\n"
        "hop_length = 8\nvoc_upsample_factors = (2, 4)\nvoc_seq_len = hop_length * 5\nnum_mels = 80\n"
        "tts_embed_dims = 12\ntts_encoder_dims = 128\ntts_decoder_dims = 256\ntts_postnet_dims = 12\n"
        "tts_encoder_K = 3\ntts_lstm_dims = 24\ntts_postnet_K = 3\ntts_num_highways = 2\n"
    )
hp.configure("small_hparams.py")

from models.deepmind_version import WaveRNN as SubscaleWaveRNN  # noqa: E402
from models.fatchord_version import WaveRNN  # noqa: E402
from models.tacotron import Decoder, Tacotron  # noqa: E402
from train_tacotron import create_gta_features, tts_train_loop  # noqa: E402
from train_wavernn import voc_train_loop  # noqa: E402
from utils.checkpoints import restore_checkpoint  # noqa: E402
from utils.dataset import (  # noqa: E402
    BinnedLengthSampler,
    TTSDataset,
    VocoderDataset,
    collate_tts,
    collate_vocoder,
)
from utils.distribution import discretized_mix_logistic_loss  # noqa: E402
from utils.dsp import combine_signal, decode_mu_law, encode_mu_law, split_signal  # noqa: E402
from utils.paths import Paths  # noqa: E402
from utils.text.symbols import symbols  # noqa: E402

Decoder.zoneout.__defaults__ = (0.0,)  # it is drawn in every step
paths = Paths("data", "voc", "tts")
texts = {f"s{index}": "Turn left on the street, Dr. Jones!"[: 20 + 3 * index] for index in range(6)}
rng = np.random.RandomState(0)
for name in texts:
    frames = rng.randint(24, 30)
    np.save(paths.mel / f"{name}.npy", rng.rand(80, frames).astype("float32"))
    np.save(paths.quant / f"{name}.npy", rng.randint(0, 2**16, frames * hp.hop_length).astype("int64"))


def vocoder(mode):
    return WaveRNN(
        rnn_dims=hp.voc_rnn_dims, fc_dims=hp.voc_fc_dims, bits=hp.bits, pad=hp.voc_pad,
        upsample_factors=hp.voc_upsample_factors, feat_dims=hp.num_mels, compute_dims=hp.voc_compute_dims,
        res_out_dims=hp.voc_res_out_dims, res_blocks=hp.voc_res_blocks, hop_length=hp.hop_length,
        sample_rate=hp.sample_rate, mode=mode,
    )  # fmt: skip


def build():
    tacotron = Tacotron(
        embed_dims=hp.tts_embed_dims, num_chars=len(symbols), encoder_dims=hp.tts_encoder_dims,
        decoder_dims=hp.tts_decoder_dims, n_mels=hp.num_mels, fft_bins=hp.num_mels,
        postnet_dims=hp.tts_postnet_dims, encoder_K=hp.tts_encoder_K, lstm_dims=hp.tts_lstm_dims,
        postnet_K=hp.tts_postnet_K, num_highways=hp.tts_num_highways, dropout=hp.tts_dropout,
        stop_threshold=hp.tts_stop_threshold,
    )  # fmt: skip
    tacotron.encoder.pre_net.p = tacotron.decoder.prenet.p = (
        1e-9  # not 0: then dropout gives its input, which is changed in place
    )
    tacotron.r = 3
    return vocoder("MOL"), vocoder("RAW"), tacotron, SubscaleWaveRNN(hidden_size=16, quantisation=32)


def init():
    torch.manual_seed(1)
    mol = vocoder("MOL")
    return {
        "upsampling": mol.upsample.up_layers[1].weight,
        "gru": mol.rnn1.weight_ih_l0,
        "fc": mol.fc3.weight,
    }


def vocoder_loader():
    np.random.seed(5)  # where a piece begins
    return DataLoader(VocoderDataset(paths.data, list(texts)), collate_fn=collate_vocoder, batch_size=3)


def tts_loader(r):
    dataset = TTSDataset(paths.data, list(texts), texts)
    return DataLoader(dataset, collate_fn=lambda batch: collate_tts(batch, r), batch_size=2)


def forward(mol, raw, tacotron, subscale):
    x, y, m = next(iter(vocoder_loader()))
    chars, mel, ids, mel_lens = next(iter(tts_loader(3)))
    for model in (mol, raw, tacotron, subscale):
        model.eval()
    random.seed(0)
    sampler = BinnedLengthSampler([5, 9, 2, 7, 1, 3, 8], 2, 4)
    signal = np.arange(-400, 400, 60)
    hidden = torch.zeros(2, 16)
    return {
        "batch": [x, y, m],
        "mol": lambda: mol(x, m),
        "raw": lambda: raw(x, m),
        "upsampled": lambda: list(mol.upsample(m)),
        "folded": lambda: mol.fold_with_overlap(m.transpose(1, 2)[:1], 3, 1),
        "unfolded": lambda: mol.xfade_and_unfold(np.ones((3, 8)), 4, 2),
        "cell": lambda: mol.get_gru_cell(mol.rnn1)(torch.ones(2, 16), hidden),
        "subscale": lambda: list(
            subscale(torch.ones(2, 2) * 0.1, torch.ones(2, 16) * 0.3, torch.ones(2, 1) * 0.2)
        ),
        "tacotron": lambda: list(tacotron(chars, mel, generate_gta=True)),
        "generated": lambda: list(tacotron.generate(chars[0], steps=15)),
        "loss": lambda: discretized_mix_logistic_loss(mol(x, m), y.float().unsqueeze(-1)),
        "order": lambda: list(sampler),
        "signal": [*split_signal(signal), combine_signal(*split_signal(signal))],
        "mu_law": decode_mu_law(encode_mu_law(np.linspace(-1, 1, 9), 512), 512),
    }


def train(mol, raw, tacotron, subscale):
    results = {}
    for name, model, loss_func in (
        ("mol", mol, discretized_mix_logistic_loss),
        ("raw", raw, F.cross_entropy),
    ):
        hp.voc_mode = model.mode
        if name == "raw":
            for item in texts:
                quant = np.load(paths.quant / f"{item}.npy")
                np.save(paths.quant / f"{item}.npy", quant % 2**hp.bits)
        model.train()
        optimizer = optim.Adam(model.parameters())
        voc_train_loop(paths, model, loss_func, optimizer, vocoder_loader(), None, 1e-3, model.get_step() + 3)
        restore_checkpoint("voc", paths, model, optimizer)
        voc_train_loop(paths, model, loss_func, optimizer, vocoder_loader(), None, 1e-3, model.get_step() + 1)
        results[name] = [model.get_step()]
        results[name + "_weight"] = model.rnn1.weight_hh_l0
        results[name + "_mean"] = model.upsample.resnet.batch_norm.running_mean
        for path in (paths.voc_latest_weights, paths.voc_latest_optim):
            os.remove(path)
    optimizer = optim.Adam(tacotron.parameters())
    tts_train_loop(paths, tacotron, optimizer, tts_loader(3), 1e-3, 3, "nobody")
    create_gta_features(tacotron, tts_loader(3), paths.gta)
    results["gta"] = np.load(paths.gta / "s0.npy")
    results["tacotron"] = [tacotron.get_step(), tacotron.r]
    results["tacotron_weight"] = tacotron.decoder.attn_rnn.weight_hh
    results["tacotron_embedding"] = tacotron.encoder.embedding.weight
    return results
