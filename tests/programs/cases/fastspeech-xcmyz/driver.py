import os
import tempfile
import types

import numpy as np
import torch

import hparams

for name, size in {
    "num_mels": 12, "encoder_dim": 16, "encoder_n_layer": 2, "encoder_conv1d_filter_size": 20, "decoder_dim": 16,
    "decoder_n_layer": 2, "decoder_conv1d_filter_size": 20, "duration_predictor_filter_size": 16, "max_seq_len": 60,
    "batch_size": 2, "batch_expand_size": 2, "epochs": 2, "n_warm_up_step": 800, "save_step": 2, "log_step": 1,
    "clear_Time": 3,
}.items():  # fmt: skip
    setattr(hparams, name, size)

import dataset  # noqa: E402
import glow  # noqa: E402
import model  # noqa: E402
import modules  # noqa: E402
import train as program  # noqa: E402
import utils  # noqa: E402
from loss import DNNLoss  # noqa: E402
from optimizer import ScheduledOptim  # noqa: E402
from transformer.Layers import PostNet, PreNet  # noqa: E402

WAVENET = {"n_layers": 2, "n_channels": 8, "kernel_size": 3}


def build():
    return (
        model.FastSpeech(),
        glow.WaveGlow(
            n_mel_channels=4, n_flows=4, n_group=4, n_early_every=2, n_early_size=2, WN_config=WAVENET
        ),
        PostNet(12, 10, 5, 3),
        PreNet(6, 8, 5),
    )  # fmt: skip


def init():
    torch.manual_seed(1)
    net = model.FastSpeech()
    return {
        "query": net.encoder.layer_stack[0].slf_attn.w_qs.weight,
        "fc": net.encoder.layer_stack[0].slf_attn.fc.weight,
        "word": net.encoder.src_word_emb.weight[1:],
        "bank": net.postnet.conv1d_banks[3].conv1d.weight,
        "gru": net.postnet.gru.weight_hh_l0_reverse,
        "linear": net.mel_linear.linear_layer.weight,
    }


def array(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def forward(net, flow, postnet, prenet):
    for one in (net, flow, postnet, prenet):
        one.eval()
    text = torch.tensor([[5, 9, 3, 7, 0, 0], [4, 6, 8, 2, 1, 3]])
    position = torch.tensor([[1, 2, 3, 4, 0, 0], [1, 2, 3, 4, 5, 6]])
    durations = torch.tensor([[2, 1, 3], [1, 0, 2]]).int()
    regulator = net.length_regulator

    def flowing():
        with torch.no_grad():
            latent, scales, determinants = flow((array(1, 2, 4, 3), array(2, 2, 700)))
            back, _ = flow.convinv[1](array(3, 2, 4, 5)), None
        return [latent, *scales, *determinants, back[0]]

    with torch.no_grad():
        return {
            "encoded": lambda: net.encoder(text, position)[0],
            "spoken": lambda: list(net(text[1:], position[1:], alpha=5.0)),
            "repeated": lambda: regulator.LR(array(4, 2, 3, 16), durations, mel_max_length=9),
            "shortest": lambda: regulator.LR(array(4, 2, 3, 16), durations),
            "postnet": lambda: postnet(array(5, 2, 7, 12)),
            "prenet": lambda: prenet(array(6, 3, 6)),
            "bank": lambda: net.postnet(array(7, 2, 9, 12)),
            "mask": lambda: utils.get_mask_from_lengths(torch.tensor([2, 4, 1])),
            "padded": lambda: utils.pad([array(8, 3, 4), array(9, 5, 4)], 6),
            "table": lambda: modules.get_sinusoid_encoding_table(5, 8, padding_idx=0),
            "parameters": lambda: utils.get_param_num(net),
            "clones": lambda: len(modules.clones(postnet, 3)),
            "flow": flowing,
            "loss": lambda: list(
                DNNLoss()(array(10, 2, 5), array(11, 2, 5), array(12, 2, 3), array(13, 2, 5), durations)
            ),
        }


def written():
    """What preprocess.py leaves."""
    os.makedirs("data")
    os.makedirs(hparams.mel_ground_truth)
    os.makedirs(hparams.alignment_path)
    lines = ["the cat sat.", "a longer text.", "hi there", "no more words", "again, yes", "six of them"]
    with open("data/train.txt", "w") as file:
        file.writelines(line + "\n" for line in lines)
    for row, line in enumerate(lines):
        draw = np.random.RandomState(row)
        lengths = draw.randint(1, 4, len(line) + 1)
        np.save(f"{hparams.alignment_path}/{row}.npy", lengths)
        mel = draw.randn(lengths.sum(), hparams.num_mels).astype("float32")
        np.save(f"{hparams.mel_ground_truth}/ljspeech-mel-{row + 1:05d}.npy", mel)


def tokens(text, cleaners):
    return [1 + ord(letter) % 90 for letter in text + "~"]


def read(name):
    with open(f"logger/{name}.txt") as file:
        return [float(line) for line in file]


def train(net, flow, postnet, prenet):
    folder = os.getcwd()
    dataset.text_to_sequence = tokens
    program.FastSpeech = lambda: net
    results = {}
    with tempfile.TemporaryDirectory() as here:
        os.chdir(here)
        try:
            written()
            program.main(types.SimpleNamespace(restore_step=0, frozen_learning_rate=False, learning_rate_frozen=1e-3))
            results["losses"] = [read(name) for name in ("total_loss", "mel_loss", "mel_postnet_loss", "duration_loss")]
            results["scheduled"] = net.mel_linear.linear_layer.weight.detach().clone()
            saved = torch.load("model_new/checkpoint_4.pth.tar", weights_only=False)
        finally:
            os.chdir(folder)
    optimizer = ScheduledOptim(torch.optim.Adam(flow.parameters(), lr=1e-3), 64, 4, 0)
    criterion, flows = glow.WaveGlowLoss(sigma=0.9), []
    flow.train()
    for step in range(3):
        optimizer.zero_grad()
        loss = criterion(flow((array(20 + step, 2, 4, 3), 0.5 * array(30 + step, 2, 700))))
        loss.backward()
        optimizer.step_and_update_lr()
        flows.append([loss.item(), optimizer.get_learning_rate()])
    return {
        **results,
        "saved": sum(1 for name in saved["model"] if not name.endswith("num_batches_tracked")),
        "moments": saved["optimizer"]["state"][3]["exp_avg"],
        "word": net.encoder.src_word_emb.weight[:20],
        "position": net.encoder.position_enc.weight[:3],
        "query": net.decoder.layer_stack[1].slf_attn.w_qs.weight,
        "duration": net.length_regulator.duration_predictor.conv_layer[0].conv.weight,
        "gru": net.postnet.gru.weight_hh_l0_reverse,
        "mean": net.postnet.conv1d_banks[1].bn.running_mean,
        "flows": flows,
        "mixing": flow.convinv[0].conv.weight,
        "gate": flow.WN[1].end.weight,
    }
