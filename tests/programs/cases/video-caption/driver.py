import json
import os
import pickle
import random
import sys
from collections import defaultdict

import numpy as np
import torch
from torch import optim
from torch.utils.data import DataLoader

import misc.utils as utils
import opts
import train as script
from dataloader import VideoDataset
from models import DecoderRNN, EncoderRNN, S2VTAttModel, S2VTModel

WORDS, LENGTH, FRAMES, WIDTH, VIDEOS = 14, 7, 5, 12, 6


def options():
    arguments, sys.argv = sys.argv, ["train.py", "--max_len", str(LENGTH), "--epochs", "2"]
    opt = vars(opts.parse_opt())
    sys.argv = arguments
    return opt | {
        "info_json": "data/info.json",
        "caption_json": "data/caption.json",
        "feats_dir": ["data/feats"],
        "checkpoint_path": "save",
        "cached_tokens": "tokens",
        "learning_rate": 1e-3,
    }


def build():
    plain = S2VTModel(WORDS, LENGTH, 10, 8, WIDTH, rnn_dropout_p=0.0)
    encoder = EncoderRNN(WIDTH, 10, bidirectional=True, input_dropout_p=0.0, rnn_dropout_p=0.0)
    decoder = DecoderRNN(WORDS, LENGTH, 10, 8, input_dropout_p=0.0, rnn_dropout_p=0.0, bidirectional=True)
    one_way = S2VTAttModel(
        EncoderRNN(WIDTH, 10, input_dropout_p=0.0, rnn_dropout_p=0.0),
        DecoderRNN(WORDS, LENGTH, 10, 8, input_dropout_p=0.0, rnn_dropout_p=0.0),
    )
    return plain, S2VTAttModel(encoder, decoder), one_way


def videos(seed, rows=3):
    return torch.from_numpy(np.random.RandomState(seed).randn(rows, FRAMES, WIDTH).astype("float32"))


def forward(*models):
    outputs = {}
    words = torch.from_numpy(np.random.RandomState(1).randint(1, WORDS, (3, LENGTH)))
    for number, model in enumerate(models):
        model.eval()
        outputs[f"training_{number}"] = model(videos(0), words, "train")[0]
        outputs[f"probabilities_{number}"], outputs[f"words_{number}"] = model(videos(0), mode="inference")
    return outputs


def write_data():
    rng = np.random.RandomState(2)
    os.makedirs("data/feats", exist_ok=True)
    os.makedirs("save", exist_ok=True)
    vocabulary = ["<eos>", "<sos>"] + [f"word{number}" for number in range(2, WORDS)]
    captions = {}
    for video in range(VIDEOS):
        np.save(f"data/feats/video{video}.npy", rng.randn(FRAMES, WIDTH))
        sentences = [["<sos>", *(vocabulary[w] for w in rng.randint(2, WORDS, 4)), "<eos>"] for _ in range(2)]
        captions[f"video{video}"] = {"final_captions": sentences}
    info = {
        "ix_to_word": {str(number): word for number, word in enumerate(vocabulary)},
        "word_to_ix": {word: number for number, word in enumerate(vocabulary)},
        "videos": {"train": list(range(VIDEOS)), "val": [], "test": []},
    }
    for name, value in (("info", info), ("caption", captions)):
        with open(f"data/{name}.json", "w") as f:
            json.dump(value, f)
    with open("data/tokens.p", "wb") as f:
        pickle.dump({"ref_len": np.log(10.0), "document_frequency": defaultdict(float, {("3",): 2.0})}, f)


def train(*models):
    write_data()
    results = {}
    for number, model in enumerate(models):
        random.seed(3)
        opt = options()
        # The reward needs a model that gives the chance of the words that it takes.
        opt["self_crit_after"] = -1 if number == 0 else 1
        loader = DataLoader(VideoDataset(opt, "train"), batch_size=3, shuffle=False)
        optimizer = optim.Adam(model.parameters(), lr=opt["learning_rate"], weight_decay=opt["weight_decay"])
        scheduler = optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.8)
        printed = []
        script.print = lambda *words, printed=printed: printed.append(words[0])
        crit, rl_crit = utils.LanguageModelCriterion(), utils.RewardCriterion()
        script.train(loader, model, crit, optimizer, scheduler, opt, rl_crit)
        lines = [line for line in printed if str(line).startswith("iter")]
        results[f"printed_{number}"] = [float(line.rpartition(" ")[2]) for line in lines]
        results[f"out_{number}"] = model.out.weight if number == 0 else model.decoder.out.weight
        results[f"table_{number}"] = (model if number == 0 else model.decoder).embedding.weight
        results[f"rnn_{number}"] = (model.rnn1 if number == 0 else model.encoder.rnn).weight_ih_l0
        results[f"rate_{number}"] = optimizer.param_groups[0]["lr"]
    sentence = utils.decode_sequence({str(n): f"w{n}" for n in range(WORDS)}, torch.tensor([[3, 5, 0, 2]]))
    assert sentence == ["w3 w5"]
    return results
