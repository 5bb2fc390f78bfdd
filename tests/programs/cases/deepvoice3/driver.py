import argparse

import numpy as np
import torch
from torch import optim

import train as training
from deepvoice3_pytorch.builder import nyanko
from hparams import hparams

VOCABULARY = 20
training._frontend = argparse.Namespace(n_vocab=VOCABULARY)
for name, value in dict(
    builder="deepvoice3_multispeaker", n_speakers=3, speaker_embed_dim=4, num_mels=8, fft_size=32, text_embed_dim=16,
    encoder_channels=16, decoder_channels=16, converter_channels=16, dropout=0.0, downsample_step=4,
    outputs_per_step=1, max_positions=64, key_projection=True, value_projection=True, nepochs=2, clip_thresh=0.1,
    lr_schedule="step_learning_rate_decay", priority_freq_weight=0.3,
).items():  # fmt: skip
    hparams.set_hparam(name, value)


def build():
    return training.build_model(), nyanko(
        VOCABULARY, embed_dim=8, mel_dim=8, linear_dim=17, dropout=0.0, encoder_channels=8, decoder_channels=8,
        converter_channels=8, max_positions=64,
    )  # fmt: skip


def init():
    torch.manual_seed(1)
    model = training.build_model()
    encoder = model.seq2seq.encoder
    return {
        "tokens": encoder.embed_tokens.weight,
        "positions": model.seq2seq.decoder.embed_keys_positions.weight,
        "conv_v": encoder.convolutions[0].conv.weight_v,
        "conv_g": encoder.convolutions[0].conv.weight_g,
        "out": model.seq2seq.decoder.attention[0].out_projection.weight_v,
    }


def batch(seed, speakers=True):
    rng = np.random.RandomState(seed)
    items = []
    for characters, frames in ((9, 24), (7, 20), (12, 29)):
        item = (rng.randint(1, VOCABULARY, characters), rng.rand(frames, 8), rng.rand(frames, 17))
        items.append((*item, rng.randint(3)) if speakers else item)
    return training.collate_fn(items)


def spoken(model, seed, speakers):
    x, lengths, mel, _, (text_positions, frame_positions), _, _, ids = batch(seed, speakers)
    return model(
        x, mel[:, ::4], speaker_ids=ids, text_positions=text_positions, frame_positions=frame_positions,
        input_lengths=lengths.numpy(),
    )  # fmt: skip


def generated(model, seed, speakers):
    """What synthesis.tts does: frame by frame."""
    x, _, _, _, (text_positions, _), _, _, ids = batch(seed, speakers)
    model.eval()
    model.seq2seq.decoder.max_decoder_steps = 5
    with torch.no_grad():
        ids = ids[:1] if speakers else None
        mel, linear, _, _ = model(x[:1], text_positions=text_positions[:1], speaker_ids=ids)
    return linear


def forward(model, small):
    model.eval()
    small.eval()
    mel, linear, alignments, done = spoken(model, 0, True)
    return {
        "mel": mel,
        "linear": linear,
        "alignments": alignments,
        "done": done,
        "nyanko": lambda: spoken(small, 1, False)[1],
        "generated": lambda: generated(model, 2, True),
        "generated_nyanko": lambda: generated(small, 3, False),
    }


class Writer:
    def __init__(self):
        self.values = {}

    def add_scalar(self, name, value, step):
        self.values.setdefault(name, []).append(float(value))


def train(model, small):
    writer = Writer()
    optimizer = optim.Adam(
        model.get_trainable_parameters(),
        lr=hparams.initial_learning_rate,
        betas=(hparams.adam_beta1, hparams.adam_beta2),
        eps=hparams.adam_eps,
        weight_decay=hparams.weight_decay,
        amsgrad=hparams.amsgrad,
    )
    training.train(
        torch.device("cpu"), model, [batch(0), batch(1)], optimizer, writer, init_lr=hparams.initial_learning_rate,
        checkpoint_dir=".", checkpoint_interval=1000, nepochs=hparams.nepochs, clip_thresh=hparams.clip_thresh,
    )  # fmt: skip
    return {
        **{name.replace(" ", "_"): values for name, values in writer.values.items()},
        "tokens": model.seq2seq.encoder.embed_tokens.weight,
        "postnet": model.postnet.convolutions[0].bias,
    }
