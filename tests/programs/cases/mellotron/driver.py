import os
import tempfile

import numpy as np
import scipy.io.wavfile
import torch

import model as networks
import train as program
from data_utils import TextMelCollate, TextMelLoader
from hparams import create_hparams
from loss_function import Tacotron2Loss
from stft import STFT

RATE = 22050
networks.drop_rate = 0.0


def settings():
    hparams = create_hparams()
    vars(hparams).update(
        cmudict_path=None, text_cleaners=["basic_cleaners"], filter_length=256, hop_length=64, win_length=256,
        n_mel_channels=8, f0_min=200, symbols_embedding_dim=8, encoder_embedding_dim=8, decoder_rnn_dim=10, prenet_dim=7,
        attention_rnn_dim=9, attention_dim=6, attention_location_n_filters=4, attention_location_kernel_size=5,
        postnet_embedding_dim=8, n_speakers=4, speaker_embedding_dim=3, ref_enc_filters=[2, 3, 4], ref_enc_gru_size=6,
        token_embedding_size=8, token_num=5, num_heads=2, p_attention_dropout=0.0, p_decoder_dropout=0.0,
        max_decoder_steps=9, batch_size=3, epochs=3, iters_per_checkpoint=2, learning_rate_anneal=2, learning_rate=5e-3,
    )  # fmt: skip
    return hparams


def build():
    return networks.load_model(settings())


def init():
    torch.manual_seed(1)
    hparams = settings()
    hparams.token_num, hparams.token_embedding_size = 40, 64
    net = networks.load_model(hparams)
    return {
        "embedding": net.embedding.weight,
        "token": net.gst.stl.embed,
        "conv": net.postnet.convolutions[1][0].conv.weight,
        "location": net.decoder.attention_layer.location_layer.location_dense.linear_layer.weight,
    }


def write_files(folder):
    """Sounds of differing lengths with texts of differing lengths, and the lists of them."""
    for split, lengths in (("train", (1500, 1100, 1300)), ("val", (1200, 900))):
        lines = []
        for index, length in enumerate(lengths):
            time = np.arange(length) / RATE
            wave = 0.4 * np.sin(2 * np.pi * (200 + 130 * index) * time) + 0.2 * np.sin(2 * np.pi * 1300 * time)
            path = os.path.join(folder, f"{split}_{index}.wav")
            scipy.io.wavfile.write(path, RATE, (wave * 32767).astype("int16"))
            lines.append(f"{path}|{'some words are said'[: 6 + 4 * index]}|{10 * index}")
        with open(os.path.join(folder, f"{split}.txt"), "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")


def batch(hparams):
    with tempfile.TemporaryDirectory() as folder:
        write_files(folder)
        data = TextMelLoader(os.path.join(folder, "train.txt"), hparams)
        return TextMelCollate(1)([data[index] for index in range(3)])


def forward(net):
    net.eval()
    hparams = settings()
    made = batch(hparams)
    with torch.no_grad():
        x, y = net.parse_batch(made)
        outputs = net(x)
        text, mel, f0 = x[0][:1, :6], x[2][:1], x[6][:1]
        return {
            "text": made[0].float(),
            "padded": made[2],
            "f0": made[6],
            "mel": outputs[0],
            "postnet": outputs[1],
            "gate": outputs[2],
            "alignments": outputs[3],
            "loss": lambda: Tacotron2Loss()(outputs, y),
            "inferred": lambda: net.inference((text, mel, x[5][:1], f0))[1],
            "token": lambda: net.inference((text, 1, x[5][:1], f0))[1],
            "mapped": lambda: net.inference_noattention(
                (text, mel, x[5][:1], f0, torch.softmax(torch.sin(torch.arange(24.0)).view(4, 1, 6), -1))
            )[1],
            "again": lambda: STFT(64, 16, 64)(torch.sin(torch.arange(200.0)).view(1, -1)),
        }


class Logger:
    """Stands for the one that writes for TensorBoard."""

    losses, checks = [], []

    def log_training(self, reduced_loss, grad_norm, learning_rate, duration, iteration):
        self.losses.extend([reduced_loss, float(grad_norm), 100 * learning_rate])

    def log_validation(self, reduced_loss, model, y, y_pred, iteration):
        self.checks.append(reduced_loss)


def train(net):
    hparams = settings()
    results = {}
    program.load_model = lambda hparams: net
    program.prepare_directories_and_logger = lambda *folders: Logger()
    with tempfile.TemporaryDirectory() as folder:
        write_files(folder)
        hparams.training_files, hparams.validation_files = (
            os.path.join(folder, "train.txt"),
            os.path.join(folder, "val.txt"),
        )
        # One batch holds all of the sounds, sorted: how they are shuffled does not matter.
        program.train(folder, "log", None, False, 1, 0, "group_name", hparams)
        results["embedding"] = net.embedding.weight.detach().clone()
        hparams.use_saved_learning_rate = True
        hparams.epochs = 4
        program.train(folder, "log", os.path.join(folder, "checkpoint_2"), False, 1, 0, "group_name", hparams)
        results["head"] = net.gst.stl.attention.W_query.weight.detach().clone()
        hparams.epochs = 1
        program.train(folder, "log", os.path.join(folder, "checkpoint_2"), True, 1, 0, "group_name", hparams)
    results.update(
        losses=Logger.losses,
        checks=Logger.checks,
        lstm=net.encoder.lstm.weight_hh_l0_reverse,
        gru=net.gst.encoder.gru.weight_ih_l0,
        token=net.gst.stl.embed,
        cell=net.decoder.decoder_rnn.weight_ih,
        f0=net.decoder.prenet_f0.conv.weight,
        speaker=net.speaker_embedding.weight,
        variance=net.postnet.convolutions[0][1].running_var,
    )
    return results
