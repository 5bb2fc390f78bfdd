import json
import os
import pickle

import h5py
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader

import base_model
import utils
from dataset import Dictionary, VQAFeatureDataset
from language_model import QuestionEmbedding
from train import evaluate, instance_bce_with_logits
from train import train as train_model

words = "what is the color of this a cat dog left on right how many".split()


def write_data():
    rng = np.random.RandomState(0)
    os.makedirs("data/cache", exist_ok=True)
    dictionary = Dictionary()
    dictionary.tokenize(" ".join(words), True)
    dictionary.dump_to_file("data/dictionary.pkl")
    np.save("data/glove.npy", rng.randn(dictionary.ntoken, 300).astype("float32"))
    answers = {f"answer{i}": i for i in range(7)}
    for name, content in (("trainval_ans2label", answers), ("trainval_label2ans", list(answers))):
        with open(f"data/cache/{name}.pkl", "wb") as f:
            pickle.dump(content, f)
    for name in ("train", "val"):
        with h5py.File(f"data/{name}36.hdf5", "w") as f:
            f.create_dataset("image_features", data=rng.rand(5, 6, 10).astype("float32"))
            f.create_dataset("spatial_features", data=rng.rand(5, 6, 6).astype("float32"))
        with open(f"data/{name}36_imgid2idx.pkl", "wb") as f:
            pickle.dump({100 + i: i for i in range(5)}, f)
        questions, targets = [], []
        for i in range(8):
            sentence = " ".join(rng.choice(words, rng.randint(3, 9))) + "?"
            questions.append({"question_id": i, "image_id": 100 + i % 5, "question": sentence})
            labels = sorted(rng.choice(7, i % 3, replace=False).tolist())
            targets.append(
                {
                    "question_id": i,
                    "image_id": 100 + i % 5,
                    "labels": labels,
                    "scores": rng.rand(len(labels)).tolist(),
                }
            )
        with open(f"data/v2_OpenEnded_mscoco_{name}2014_questions.json", "w") as f:
            json.dump({"questions": questions}, f)
        with open(f"data/cache/{name}_target.pkl", "wb") as f:
            pickle.dump(targets, f)


write_data()
words_of = Dictionary.load_from_file("data/dictionary.pkl")
train_set = VQAFeatureDataset("train", words_of)
eval_set = VQAFeatureDataset("val", words_of)


def still(net):
    """The chances of its dropout are fixed in the code."""
    for module in net.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.0
    return net


def build():
    return (
        still(base_model.build_baseline0(train_set, 12)),
        still(base_model.build_baseline0_newatt(train_set, 12)),
        QuestionEmbedding(10, 6, 2, True, 0.0, rnn_type="LSTM"),
    )


def init():
    net = base_model.build_baseline0_newatt(train_set, 64)
    utils.init_net(net.classifier.main[1:2], None)
    linear = nn.Sequential(nn.Linear(50, 60), nn.Conv2d(8, 16, 3), nn.ReLU())
    utils.init_net(linear, None)
    return {"embedding": net.w_emb.emb.weight, "linear": linear[0].weight, "conv": linear[1].weight}


def forward(base, new, question):
    base.eval()
    new.eval()
    new.w_emb.init_embedding("data/glove.npy")
    v, b, q, a = next(iter(DataLoader(eval_set, 8, shuffle=False)))
    return {
        "base": base(v, b, q, a),
        "new": new(v, b, q, None),
        "loss": lambda: instance_bce_with_logits(new(v, b, q, a), a),
        "question": lambda: question(v),
        "all": lambda: question.forward_all(v),
        "score": lambda: torch.stack([torch.as_tensor(s) for s in evaluate(base, DataLoader(eval_set, 4))]),
    }


def train(base, new, question):
    losses = []
    for net in (base, nn.DataParallel(new)):
        train_loader = DataLoader(train_set, 8, shuffle=False, num_workers=1)
        eval_loader = DataLoader(eval_set, 8, shuffle=False, num_workers=1)
        train_model(net, train_loader, eval_loader, 3, "saved_models/exp0")
        v, b, q, a = next(iter(DataLoader(eval_set, 8)))
        losses.append(instance_bce_with_logits(net(v, b, q, a), a).item())
    return {
        "losses": losses,
        "attention": base.v_att.linear.weight_v,
        "embedding": new.w_emb.emb.weight,
        "gate": new.q_emb.rnn.weight_hh_l0,
        "classifier": new.classifier.main[3].weight_g,
    }
