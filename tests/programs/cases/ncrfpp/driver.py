import random

import numpy as np
import torch
import torch.nn as nn

import main as program
from utils.data import Data

letters = "abcdefghij"


def write_sentences(path, seed):
    rng = np.random.RandomState(seed)
    words = ["".join(np.random.RandomState(i).choice(list(letters), 1 + i % 5)) for i in range(30)]
    labels = ["O", "B-PER", "I-PER", "B-LOC"]
    with open(path, "w") as f:
        for _ in range(6):
            for i in rng.randint(0, 30, rng.randint(2, 7)):
                f.write(f"{words[i]} [Cap]{i % 2} {labels[i % 4]}\n")
            f.write("\n")


def write_reviews(path, seed):
    rng = np.random.RandomState(seed)
    with open(path, "w") as f:
        for i in range(6):
            f.write(
                " ".join("".join(rng.choice(list(letters), 3)) for _ in range(rng.randint(2, 7)))
                + f" ||| class{i % 2}\n"
            )


for number, part in enumerate(("train", "dev", "test")):
    write_sentences(f"{part}.bmes", number)
    write_reviews(f"{part}.txt", number)


def config(name, suffix="bmes", **settings):
    settings = {
        "word_emb_dim": 8,
        "char_emb_dim": 6,
        "hidden_dim": 12,
        "char_hidden_dim": 8,
        "dropout": 0.0,
        "batch_size": 6,
        "iteration": 2,
        "bilstm": True,
        "cnn_layer": 2,
        "model_dir": name,
        "seg": True,
    } | settings
    with open(f"{name}.config", "w") as f:
        for part in ("train", "dev", "test"):
            f.write(f"{part}_dir={part}.{suffix}\n")
        for key, value in settings.items():
            f.write(f"{key}={value}\n")
        if suffix == "bmes":
            f.write("feature=[Cap] emb_size=3\n")
    data = Data()
    data.read_config(f"{name}.config")
    program.data_initialization(data)
    for part in ("train", "dev", "test"):
        data.generate_instance(part)
    data.build_pretrain_emb()
    return data


def settings():
    return [
        config(
            "crf", use_crf=True, word_seq_feature="LSTM", char_seq_feature="CNN", learning_rate=0.05, l2=1e-4
        ),
        config("softmax", use_crf=False, word_seq_feature="CNN", char_seq_feature="LSTM", optimizer="Adam"),
        config(
            "gru",
            use_crf=True,
            word_seq_feature="GRU",
            char_seq_feature="GRU",
            optimizer="RMSProp",
            ave_batch_loss=True,
        ),
        config(
            "reviews",
            "txt",
            sentence_classification=True,
            use_crf=False,
            optimizer="AdaGrad",
            word_seq_feature="LSTM",
            char_seq_feature="ALL",
        ),
    ]


def network(data):
    size = data.label_alphabet_size
    made = program.SentClassifier(data) if data.sentence_classification else program.SeqLabel(data)
    data.label_alphabet_size = size
    return made


def build():
    return tuple(network(data) for data in settings())


def forward(*nets):
    outputs = {}
    for net, data in zip(nets, settings()):
        net.eval()
        batch = program.batchify_with_label(data.dev_Ids, False, False, data.sentence_classification)
        words, features, lengths, recover, chars, char_lengths, char_recover, labels, mask = batch
        inputs = words, features, lengths, chars, char_lengths, char_recover
        outputs[data.model_dir + "_loss"] = net.calculate_loss(*inputs, labels, mask)[0]
        outputs[data.model_dir + "_tags"] = net(*inputs, mask)
        if data.sentence_classification:
            outputs["hidden"] = net.word_hidden.sentence_representation(*inputs)
        else:
            outputs[data.model_dir + "_hidden"] = net.word_hidden(*inputs)
        if data.use_crf:
            outputs[data.model_dir + "_best"] = lambda net=net, inputs=inputs, mask=mask: net.decode_nbest(
                *inputs, mask, 3
            )
    return outputs


def train(*nets):
    random.seed(0)
    losses, scores = [], []
    for net, data in zip(nets, settings()):
        program.SeqLabel = program.SentClassifier = lambda data, net=net: net
        program.train(data)
        net.load_state_dict(torch.load(f"{data.model_dir}.0.model"), strict=True)
        scores.append(program.evaluate(data, net, "train")[1])
        batch = program.batchify_with_label(data.train_Ids, False, False, data.sentence_classification)
        words, features, lengths, recover, chars, char_lengths, char_recover, labels, mask = batch
        loss, _ = net.calculate_loss(
            words, features, lengths, chars, char_lengths, char_recover, labels, mask
        )
        losses.append(loss.item())
    return {
        "losses": losses,
        "scores": np.array(scores),
        "transitions": nets[0].crf.transitions[1:-2, 1:-2],
        "tag": nets[2].word_hidden.hidden2tag.weight,
        "embedding": nets[3].word_hidden.wordrep.word_embedding.weight,
    }
