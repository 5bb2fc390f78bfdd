import random
import sys
import tempfile
import types
from functools import partial
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import optim


def roc_curve(labels, scores):
    """What the encoder asks scikit-learn for."""
    order = np.argsort(-scores, kind="stable")
    hits = np.cumsum(labels[order])
    false = np.cumsum(1 - labels[order])
    return np.r_[0.0, false / false[-1]], np.r_[0.0, hits / hits[-1]], np.r_[np.inf, scores[order]]


sys.modules["sklearn"] = types.ModuleType("sklearn")
sys.modules["sklearn.metrics"] = types.ModuleType("sklearn.metrics")
sys.modules["sklearn.metrics"].roc_curve = roc_curve

import encoder.model as encoder_model  # noqa: E402  after the shell of scikit-learn
import vocoder.hparams as hp  # noqa: E402
from encoder.data_objects.speaker import Speaker  # noqa: E402
from encoder.data_objects.speaker_batch import SpeakerBatch  # noqa: E402
from synthesizer.hparams import hparams  # noqa: E402
from synthesizer.models.tacotron import Tacotron  # noqa: E402
from synthesizer.synthesizer_dataset import collate_synthesizer  # noqa: E402
from synthesizer.utils.symbols import symbols  # noqa: E402
from vocoder.distribution import discretized_mix_logistic_loss, sample_from_discretized_mix_logistic  # noqa: E402
from vocoder.models.fatchord_version import WaveRNN  # noqa: E402
from vocoder.vocoder_dataset import collate_vocoder  # noqa: E402

MELS, SPEAKERS, UTTERANCES, FRAMES, EMBED = 6, 3, 4, 7, 5
encoder_model.mel_n_channels, encoder_model.model_hidden_size = MELS, 8
encoder_model.model_num_layers, encoder_model.model_embedding_size = 2, EMBED
hp.hop_length, hp.num_mels, hp.voc_seq_len, hp.bits = 4, MELS, 20, 5
hparams.num_mels, hparams.speaker_embedding_size = MELS, EMBED


def vocoder(mode):
    return WaveRNN(
        rnn_dims=8, fc_dims=8, bits=hp.bits, pad=hp.voc_pad, upsample_factors=(2, 2), feat_dims=MELS,
        compute_dims=8, res_out_dims=8, res_blocks=2, hop_length=4, sample_rate=16000, mode=mode,
    )  # fmt: skip


def tacotron():
    net = Tacotron(
        embed_dims=8, num_chars=len(symbols), encoder_dims=8, decoder_dims=8, n_mels=MELS, fft_bins=MELS,
        postnet_dims=10, encoder_K=3, lstm_dims=9, postnet_K=3, num_highways=2, dropout=1e-9,
        stop_threshold=-3.4, speaker_embedding_size=EMBED,
    )  # fmt: skip
    net.decoder.zoneout = partial(net.decoder.zoneout, p=0.0)
    net.r = 2
    return net


def build():
    device = torch.device("cpu")
    return encoder_model.SpeakerEncoder(device, device), tacotron(), vocoder("RAW"), vocoder("MOL")


def speakers(root):
    rng, found = np.random.RandomState(0), []
    for number in range(SPEAKERS):
        folder = Path(root) / f"speaker{number}"
        folder.mkdir()
        names = [f"utterance{one}.npy" for one in range(UTTERANCES)]
        for name in names:
            np.save(folder / name, rng.randn(FRAMES, MELS).astype(np.float32) + number)
        (folder / "_sources.txt").write_text("\n".join(f"{name},{name}.flac" for name in names))
        found.append(Speaker(folder))
    return found


def utterances(root):
    random.seed(1)
    return torch.from_numpy(SpeakerBatch(speakers(root), UTTERANCES, FRAMES).data)


def sentences(seed=0):
    rng = np.random.RandomState(seed)
    batch = [
        (
            rng.randint(1, len(symbols), 5 + one).astype(np.int32),
            rng.randn(MELS, 6 + 2 * one).astype(np.float32),
            rng.rand(EMBED).astype(np.float32),
            one,
        )
        for one in range(2)
    ]
    return collate_synthesizer(batch, r=2, hparams=hparams)


def waves(mode, seed=0):
    rng = np.random.RandomState(seed)
    hp.voc_mode = mode
    high = 2**16 if mode == "MOL" else 2**hp.bits
    batch = [
        (rng.rand(MELS, 22 + one).astype(np.float32), rng.randint(0, high, 4 * (22 + one)).astype(np.int64))
        for one in range(2)
    ]
    np.random.seed(seed)
    return collate_vocoder(batch)


def forward(encoder, synthesizer, raw, mol):
    for net in (encoder, synthesizer, raw, mol):
        net.eval()
    with tempfile.TemporaryDirectory() as root:
        frames = utterances(root)
    chars, mels, embeds, _ = sentences()
    rng = np.random.RandomState(5)
    spectrogram = torch.from_numpy(rng.rand(1, MELS, 24).astype(np.float32))
    sure = vocoder("RAW")
    sure.load_state_dict(raw.state_dict())
    sure.fc3.weight.data.zero_()
    sure.fc3.bias.data[7] = 80.0

    def embedded():
        return encoder(frames)

    def similar():
        return encoder.similarity_matrix(encoder(frames).view((SPEAKERS, UTTERANCES, -1)))

    def generated(batched):
        return sure.generate(spectrogram, batched, 20, 4, True, progress_callback=lambda *_: None)

    def drawn():
        y = torch.from_numpy(rng.randn(2, 9, 5).astype(np.float32))
        y[:, 6:] = -60.0
        y[:, 3:6] = y[:, 3:4]
        return sample_from_discretized_mix_logistic(y, log_scale_min=-30.0)

    return {
        "embedded": embedded,
        "similar": similar,
        "spoken": lambda: synthesizer(chars, mels, embeds)[0],
        "linear": lambda: synthesizer(chars, mels, embeds)[1],
        "attention": lambda: synthesizer(chars, mels, embeds)[2],
        "stops": lambda: synthesizer(chars, mels, embeds)[3],
        "free": lambda: synthesizer.generate(chars, embeds, steps=8)[1],
        "raw": lambda: raw(*waves("RAW")[::2]),
        "mol": lambda: mol(*waves("MOL")[::2]),
        "labels": lambda: waves("RAW")[1],
        "generated": lambda: generated(False),
        "batched": lambda: generated(True),
        "drawn": drawn,
        "step": lambda: torch.tensor(synthesizer.get_step()),
    }


def train_encoder(model, result, root):
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    model.train()
    inputs, losses, errors = utterances(root), [], []
    for _ in range(3):
        embeds = model(inputs)
        loss, eer = model.loss(embeds.view((SPEAKERS, UTTERANCES, -1)).to(torch.device("cpu")))
        model.zero_grad()
        loss.backward()
        model.do_gradient_ops()
        optimizer.step()
        losses.append(loss.item())
        errors.append(eer)
    result["encoder_losses"], result["encoder_errors"] = losses, np.array(errors)
    result["encoder_weight"] = model.lstm.weight_hh_l1
    result["encoder_similarity"] = model.similarity_weight


def synthesizer_steps(model, optimizer, seeds):
    losses = []
    for seed in seeds:
        texts, mels, embeds, idx = sentences(seed)
        stop = torch.ones(mels.shape[0], mels.shape[2])
        for j, k in enumerate(idx):
            stop[j, : 6 + 2 * k - 1] = 0
        m1_hat, m2_hat, attention, stop_pred = model(texts, mels, embeds)
        m1_loss = F.mse_loss(m1_hat, mels) + F.l1_loss(m1_hat, mels)
        m2_loss = F.mse_loss(m2_hat, mels)
        stop_loss = F.binary_cross_entropy(stop_pred, stop)
        loss = m1_loss + m2_loss + stop_loss
        optimizer.zero_grad()
        loss.backward()
        grad_norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        if np.isnan(grad_norm.cpu()):
            print("grad_norm was NaN!")
        optimizer.step()
        losses.append(loss.item())
    return losses


def train_synthesizer(model, result, root):
    model.train()
    optimizer = optim.Adam(model.parameters())
    for p in optimizer.param_groups:
        p["lr"] = 5e-3
    result["synthesizer_losses"] = synthesizer_steps(model, optimizer, range(3))
    model.save(Path(root) / "synthesizer.pt", optimizer)
    again = tacotron()
    other = optim.Adam(again.parameters())
    again.load(Path(root) / "synthesizer.pt", other)
    again.train()
    result["synthesizer_again"] = synthesizer_steps(again, other, range(3, 5))
    result["synthesizer_step"] = torch.tensor([again.get_step(), again.r])
    result["synthesizer_weight"] = again.decoder.mel_proj.weight
    result["synthesizer_gru"] = again.encoder.cbhg.rnn.weight_hh_l0
    result["synthesizer_mean"] = again.postnet.conv_project1.bnorm.running_mean


def train_vocoder(model, name, result, root):
    model.train()
    optimizer = optim.Adam(model.parameters())
    for p in optimizer.param_groups:
        p["lr"] = 5e-3
    loss_func = F.cross_entropy if model.mode == "RAW" else discretized_mix_logistic_loss
    losses = []
    for seed in range(3):
        x, y, m = waves(model.mode, seed)
        y_hat = model(x, m)
        if model.mode == "RAW":
            y_hat = y_hat.transpose(1, 2).unsqueeze(-1)
        elif model.mode == "MOL":
            y = y.float()
        y = y.unsqueeze(-1)
        loss = loss_func(y_hat, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    model.checkpoint(Path(root), optimizer)
    again = vocoder(model.mode)
    again.load(Path(root) / "checkpoint_0k_steps.pt", optim.Adam(again.parameters()))
    result[name + "_losses"] = losses
    result[name + "_step"] = torch.tensor(again.get_step())
    result[name + "_weight"] = again.rnn2.weight_ih_l0
    result[name + "_upsample"] = again.upsample.up_layers[1].weight


def train(encoder, synthesizer, raw, mol):
    result = {}
    with tempfile.TemporaryDirectory() as root:
        train_encoder(encoder, result, root)
        train_synthesizer(synthesizer, result, root)
        train_vocoder(raw, "raw", result, root)
        train_vocoder(mol, "mol", result, root)
    return result
