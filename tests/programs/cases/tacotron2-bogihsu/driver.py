import argparse
import os
import tempfile

import numpy as np
import torch

from hparams import hparams as hps

hps.is_cuda = False
for name, value in dict(
    num_mels=6, symbols_embedding_dim=8, encoder_embedding_dim=8, decoder_rnn_dim=10, prenet_dim=7,
    attention_rnn_dim=9, attention_dim=6, attention_location_n_filters=4, attention_location_kernel_size=5,
    postnet_embedding_dim=8, p_attention_dropout=0.0, p_decoder_dropout=0.0, max_iter=4, sch_step=3, lr=1e-2,
    iters_per_ckpt=2, batch_size=3, max_decoder_ratio=2, text_cleaners=["basic_cleaners"],
).items():  # fmt: skip
    setattr(hps, name, value)

import inference
import train as program
from model.model import Tacotron2, Tacotron2Loss
from text import sequence_to_text
from utils.dataset import get_text, ljcollate
from utils.util import get_mask_from_lengths


def build():
    return Tacotron2()


def init():
    torch.manual_seed(1)
    net = Tacotron2()
    return {
        "embedding": net.embedding.weight,
        "conv": net.postnet.convolutions[1][0].conv.weight,
        "query": net.decoder.attention_layer.query_layer.linear_layer.weight,
        "projection": net.decoder.linear_projection.linear_layer.weight,
    }


def pairs(seed, count):
    rng = np.random.RandomState(seed)
    for index in range(count):
        text = torch.IntTensor(rng.randint(1, hps.n_symbols, 5 + 2 * index).tolist())
        yield text, torch.from_numpy(rng.randn(hps.num_mels, 7 + 3 * index).astype("float32"))


def batches(seed):
    collate = ljcollate(hps.n_frames_per_step)
    return [collate(list(pairs(seed + step, 3))) for step in range(2)]


def forward(net):
    net.eval()
    with torch.no_grad():
        x, y = net.parse_batch(batches(0)[0])
        outputs = net(x)
        return {
            "mel": outputs[0],
            "postnet": outputs[1],
            "gate": outputs[2],
            "alignments": outputs[3],
            "loss": lambda: Tacotron2Loss()(outputs, y)[0],
            "mask": lambda: get_mask_from_lengths(torch.LongTensor([4, 2]), True).float(),
            "inferred": lambda: net.inference(x[0][:1])[1],
            "teacher": lambda: net.teacher_infer(x[0][:1].repeat(2, 1), x[2][:2])[1],
            "text": lambda: get_text("some words, and more").float(),
            "said": lambda: np.array([len(sequence_to_text(get_text("some words").tolist()))]),
        }


def train(net):
    results = {}
    program.prepare_dataloaders = lambda fdir, n_gpu: batches(10)
    program.Tacotron2 = lambda: net
    losses = []

    class Losses(Tacotron2Loss):
        def forward(self, model_outputs, targets):
            loss, items = super().forward(model_outputs, targets)
            losses.extend(items)
            return loss, items

    program.Tacotron2Loss = Losses
    with tempfile.TemporaryDirectory() as folder:
        args = argparse.Namespace(ckpt_pth="", data_dir=folder, log_dir="", ckpt_dir=os.path.join(folder, "ckpt"))
        program.train(args)
        results["gate"] = net.decoder.gate_layer.linear_layer.weight.detach().clone()
        results["embedding"] = net.embedding.weight.detach().clone()
        # Taken up again from what was saved after two iterations.
        args.ckpt_pth = os.path.join(folder, "ckpt", "ckpt_2")
        program.train(args)
        inference.Tacotron2 = Tacotron2
        loaded = inference.load_model(os.path.join(folder, "ckpt", "ckpt_4"))
    with torch.no_grad():
        results["mel"] = loaded(loaded.parse_batch(batches(20)[1])[0])[1]
        results["inferred"] = inference.infer("some", loaded)[0]
    results.update(
        losses=losses,
        lstm=net.encoder.lstm.weight_hh_l0_reverse,
        cell=net.decoder.decoder_rnn.weight_ih,
        location=net.decoder.attention_layer.location_layer.location_conv.conv.weight,
        variance=net.postnet.convolutions[0][1].running_var,
    )
    return results
