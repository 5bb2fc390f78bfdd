import argparse
import json
import os
import sys

import numpy as np
import torch

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "src")
for folder in ("utils", "transformer", "solver", "data"):
    sys.path.insert(0, os.path.join(SOURCE, folder))

import data as batching  # noqa: E402
from decoder import Decoder  # noqa: E402
from encoder import Encoder  # noqa: E402
from loss import cal_performance  # noqa: E402
from optimizer import TransformerOptimizer  # noqa: E402
from solver import Solver  # noqa: E402
from transformer import Transformer  # noqa: E402

INPUT, STACKED, WORDS = 5, 2, 9


def read_matrix(name):
    seed, length = (int(part) for part in name.split(":"))
    return np.random.RandomState(seed).randn(length, INPUT).astype("float32")


batching.kaldi_io.read_mat = read_matrix


def utterances(path, seed, count):
    rng = np.random.RandomState(seed)
    made = {}
    for number in range(count):
        frames, tokens = rng.randint(12, 20), rng.randint(3, 7)
        made[f"utt{number}"] = {
            "input": [{"shape": [int(frames), INPUT], "feat": f"{seed * 100 + number}:{frames}"}],
            "output": [
                {
                    "shape": [int(tokens), WORDS],
                    "tokenid": " ".join(str(i) for i in rng.randint(2, WORDS, tokens)),
                }
            ],
        }
    with open(path, "w") as text:
        json.dump({"utts": made}, text)
    return batching.AudioDataset(path, 3, 800, 150)


def loader(path, seed, count):
    dataset = utterances(path, seed, count)
    return batching.AudioDataLoader(dataset, batch_size=1, num_workers=0, shuffle=0, LFR_m=STACKED, LFR_n=2)


def model(sharing):
    sizes = (2, 2, 4, 4, 8, 16)
    encoder = Encoder(INPUT * STACKED, *sizes, dropout=0.0, pe_maxlen=40)
    decoder = Decoder(0, 1, WORDS, 8, *sizes, dropout=0.0, tgt_emb_prj_weight_sharing=sharing, pe_maxlen=40)
    return Transformer(encoder, decoder)


def build():
    return model(1), model(0)


def forward(shared, separate):
    outputs = {}
    for name, net in (("shared", shared), ("separate", separate)):
        net.eval()
        inputs, lengths, targets = next(iter(loader("forward.json", 1, 3)))
        outputs[name] = lambda net=net: net(inputs, lengths, targets)
        outputs[name + "_loss"] = lambda net=net: cal_performance(
            *net(inputs, lengths, targets), smoothing=0.1
        )

        def recognized(net=net):
            args = argparse.Namespace(beam_size=2, nbest=2, decode_max_len=5)
            found = net.recognize(inputs[0], lengths[:1], [f"c{i}" for i in range(WORDS)], args)
            return np.array([float(hypothesis["score"]) for hypothesis in found])

        outputs[name + "_recognized"] = recognized
    return outputs


def train(*nets):
    results = {}
    for place, net in enumerate(nets):
        args = argparse.Namespace(
            LFR_m=STACKED, LFR_n=2, epochs=2, label_smoothing=0.1, save_folder=f"run_{place}", checkpoint=1,
            continue_from="", model_path="final.pth.tar", print_freq=1, visdom=0, visdom_lr=0, visdom_epoch=0,
            visdom_id="",
        )  # fmt: skip
        optimizer = TransformerOptimizer(
            torch.optim.Adam(net.parameters(), betas=(0.9, 0.98), eps=1e-09), 0.5, 8, 4
        )
        data = {"tr_loader": loader("train.json", 2, 9), "cv_loader": loader("valid.json", 3, 4)}
        solver = Solver(data, net, optimizer, args)
        solver.train()
        results[f"train_{place}"] = solver.tr_loss
        results[f"valid_{place}"] = solver.cv_loss
        results[f"query_{place}"] = net.decoder.layer_stack[0].slf_attn.w_qs.weight
        results[f"words_{place}"] = net.decoder.tgt_word_prj.weight
        again, *_ = Transformer.load_model(os.path.join(args.save_folder, args.model_path))
        inputs, lengths, targets = next(iter(loader("forward.json", 1, 3)))
        again.eval()
        results[f"again_{place}"] = again(inputs, lengths, targets)[0]
    return results
