import os
import tempfile

import numpy as np
import torch
from torch import nn, optim
from torch.utils import data as data_utils

import train as script
from hparams import hparams
from tacotron_pytorch import Tacotron

MEL, LINEAR, R = 6, 20, 2
logged = {}


def log_value(name, value, step):
    logged.setdefault(name, []).append(float(value))


script.log_value = log_value
script.save_states = lambda *args: None


def build():
    return Tacotron(n_vocab=12, embedding_dim=16, mel_dim=MEL, linear_dim=LINEAR, r=R, use_memory_mask=True)


def utterances(count):
    random = np.random.RandomState(0)
    texts, mels, linears = [], [], []
    for i in range(count):
        frames = 5 + i % 3
        texts.append(random.randint(1, 12, 4 + i % 4).astype("int32"))
        mels.append(random.uniform(size=(frames, MEL)).astype("float32"))
        linears.append(random.uniform(size=(frames, LINEAR)).astype("float32"))
    return script.PyTorchDataset(texts, mels, linears)


def loader(count):
    hparams.outputs_per_step = R
    return data_utils.DataLoader(
        utterances(count), batch_size=3, num_workers=0, shuffle=False, collate_fn=script.collate_fn
    )


def forward(net):
    net.eval()
    x, lengths, mel, _ = next(iter(loader(3)))
    sorted_lengths, order = torch.sort(lengths, descending=True)
    net.decoder.max_decoder_steps = 3
    mel_outputs, linear_outputs, alignments = net(x[order], mel[order], input_lengths=sorted_lengths.numpy())
    with torch.no_grad():
        greedy, _, _ = net(x[:1])
    return {"mel": mel_outputs, "linear": linear_outputs, "alignments": alignments, "greedy": greedy}


def train(net):
    for module in net.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.0
    optimizer = optim.Adam(
        net.parameters(), lr=hparams.initial_learning_rate, betas=(hparams.adam_beta1, hparams.adam_beta2)
    )
    script.global_step, script.global_epoch = 0, 0
    logged.clear()
    with tempfile.TemporaryDirectory() as folder:
        script.train(
            net,
            loader(6),
            optimizer,
            init_lr=hparams.initial_learning_rate,
            checkpoint_dir=folder,
            checkpoint_interval=3,
            nepochs=2,
            clip_thresh=hparams.clip_thresh,
        )
        checkpoint = torch.load(os.path.join(folder, "checkpoint_step3.pth"), weights_only=False)
    again = build()
    again.load_state_dict(checkpoint["state_dict"])
    optimizer.load_state_dict(checkpoint["optimizer"])
    return {
        "losses": logged["loss"],
        "norms": logged["gradient norm"],
        "rates": logged["learning rate"],
        "embedding": again.embedding.weight,
        "linear": net.last_linear.weight,
    }
