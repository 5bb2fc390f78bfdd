import os
import runpy

import numpy as np
import torch
import youtokentome

SPECIAL = ["<PAD>", "<UNK>", "<BOS>", "<EOS>"]
WORDS = ["a", "bb", "cab", "da", "ebb", "far", "go"]


class BPE:
    """Words for their parts."""

    def __init__(self, model):
        self.names = [*SPECIAL, *WORDS]

    def vocab_size(self):
        return len(self.names)

    def subword_to_id(self, name):
        return self.names.index(name)

    def encode(self, texts, output_type=None, bos=False, eos=False):
        if isinstance(texts, str):
            return self.encode([texts])[0]
        return [
            [2] * bos + [self.names.index(word) if word in self.names else 1 for word in text.split()] + [3] * eos
            for text in texts
        ]

    def decode(self, rows, ignore_ids=()):
        return [" ".join(self.names[one] for one in row if one not in ignore_ids) for row in rows]


youtokentome.BPE = BPE
os.makedirs("data", exist_ok=True)
for name, seed, count in (("train", 1, 12), ("val", 2, 4)):
    rng = np.random.RandomState(seed)
    for language in ("en", "de"):
        with open(f"data/{name}.{language}", "w") as file:
            for _ in range(count):
                file.write(" ".join(rng.choice(WORDS, rng.randint(2, 6))) + "\n")

import train as program
import utils
from dataloader import SequenceLoader
from model import LabelSmoothedCE, Transformer

program.d_model, program.n_heads, program.d_queries, program.d_values, program.d_inner = 8, 2, 4, 4, 16
program.n_layers, program.dropout, program.tokens_in_batch, program.batches_per_step = 2, 0.0, 20, 2
program.positional_encoding = utils.get_positional_encoding(8, max_length=20)
program.warmup_steps, program.n_steps, program.checkpoint = 10, 3, None


def build():
    return Transformer(11, program.positional_encoding, 8, 2, 4, 4, 16, 2, 0.0)


def init():
    torch.manual_seed(0)
    net = Transformer(60, utils.get_positional_encoding(40), 40, 2, 20, 20, 50, 1)
    return {
        "embedding": net.decoder.fc.weight,
        "values": net.encoder.encoder_layers[0][0].cast_keys_values.weight,
        "inner": net.decoder.decoder_layers[0][2].fc1.weight,
    }


def batch(split):
    loader = SequenceLoader("data", "en", "de", split, 30)
    return max(loader, key=lambda one: one[0].shape[0])


def forward(net):
    net.eval()
    source, target, source_lengths, target_lengths = batch("train")
    logits = net(source, target, source_lengths, target_lengths)
    return {
        "logits": logits,
        "loss": lambda: LabelSmoothedCE(0.1)(logits, target[:, 1:], target_lengths - 1),
        "encoded": net.encoder(source, source_lengths),
        "lengths": lambda: [*source.shape, *target.shape, *source_lengths.tolist()],
        "rates": lambda: [utils.get_lr(step, 512, 8000) for step in (1, 100, 9000)],
    }


def train(net):
    """The script's own main, twice: from these weights, and from the checkpoint that it left."""
    seen = []

    class Meter(utils.AverageMeter):
        def update(self, val, n=1):
            super().update(val, n)
            if val == val and n > 1:
                seen.append(val)

    made, meter = program.Transformer, program.AverageMeter
    program.Transformer, program.AverageMeter = lambda **sizes: net, Meter
    program.start_epoch, program.checkpoint = 0, None
    try:
        program.main()
        first = torch.load("transformer_checkpoint.pth.tar", weights_only=False)
        utils.save_checkpoint(0, first["model"], first["optimizer"], "step1_")
        program.n_steps, program.checkpoint = program.n_steps + 3, "transformer_checkpoint.pth.tar"
        program.main()
        again = torch.load("transformer_checkpoint.pth.tar", weights_only=False)
        utils.save_checkpoint(1, again["model"], again["optimizer"], "step2_")
    finally:
        program.Transformer, program.AverageMeter, program.n_steps = made, meter, 3
    averaged = runpy.run_path("average_checkpoints.py")["averaged_checkpoint"]
    best, hypotheses = runpy.run_path("translate.py")["translate"]("a bb cab far")
    return {
        "losses": seen,
        "first": first["model"].decoder.fc.weight,
        "again": again["model"].encoder.encoder_layers[1][0].cast_queries.weight,
        "tied": again["model"].encoder.embedding.weight - again["model"].decoder.fc.weight,
        "averaged": averaged.decoder.decoder_layers[0][1].cast_output.weight,
        "scores": [one["score"] for one in hypotheses],
        "rate": [again["optimizer"].param_groups[0]["lr"], again["epoch"], len(best.split())],
    }
