import io
import os
import random
import sys
import tempfile

import lmdb
import numpy as np
import torch
from PIL import Image

import dataset
import utils
from models.crnn import CRNN

WORDS = ["crnn", "text", "road", "0042", "lamp", "open"]


def write_database(path, seed, count):
    rng = np.random.RandomState(seed)
    with lmdb.open(path, map_size=1 << 24) as environment, environment.begin(write=True) as transaction:
        for i in range(1, count + 1):
            picture = io.BytesIO()
            Image.fromarray(rng.randint(0, 256, (30, 90), dtype=np.uint8)).save(picture, "png")
            transaction.put(b"image-%09d" % i, picture.getvalue())
            transaction.put(b"label-%09d" % i, WORDS[i % len(WORDS)].encode())
        transaction.put(b"num-samples", str(count).encode())


# The script reads the command line and its databases when it is imported, and trains for --nepoch.
folder, arguments = tempfile.mkdtemp(), sys.argv
write_database(os.path.join(folder, "train"), 0, 6)
write_database(os.path.join(folder, "val"), 1, 2)
sys.argv = (
    f"train.py --trainRoot {folder}/train --valRoot {folder}/val --expr_dir {folder}/expr --workers 0 "
    "--batchSize 2 --nh 8 --nepoch 0 --lr 0.00001"
).split()
try:
    import train as script
finally:
    sys.argv = arguments


def build():
    return script.crnn, CRNN(32, 1, 11, 6, leakyRelu=True)


def init():
    torch.manual_seed(0)
    fresh = CRNN(32, 1, 11, 64)
    fresh.apply(script.weights_init)
    return {"conv": fresh.cnn[0].weight, "norm": fresh.cnn.batchnorm2.weight, "rnn": fresh.rnn[0].rnn.weight_ih_l0}


def pictures(seed, count, width=100):
    return torch.from_numpy(np.random.RandomState(seed).uniform(-1, 1, (count, 1, 32, width)).astype("float32"))


def forward(crnn, leaky):
    crnn.eval()
    leaky.eval()
    preds = crnn(pictures(0, 2))
    text, length = script.converter.encode(WORDS[:2])
    preds_size = torch.IntTensor([preds.size(0)] * 2)

    def decoded():
        _, best = preds.max(2)
        found = script.converter.decode(best.transpose(1, 0).contiguous().view(-1).data, preds_size.data, raw=False)
        raw = script.converter.decode(text.data, length.data, raw=True)
        return [len(word) for word in found + raw]

    def loaded():
        utils.loadData(script.length, torch.IntTensor([3, 4, 5]))
        return script.length

    return {
        "preds": preds,
        "leaky": leaky(pictures(1, 2, 64)),
        "text": text,
        "length": length,
        "cost": lambda: script.criterion(preds, text, preds_size, length) / 2,
        "decoded": decoded,
        "loaded": loaded,
        "one_hot": lambda: utils.oneHot(text.long(), length, 40),
        "sampled": lambda: len(list(dataset.randomSequentialSampler(script.train_dataset, 4))),
        "normalized": lambda: dataset.resizeNormalize((50, 32))(Image.new("L", (20, 10), 77)),
        "ratio": lambda: utils.assureRatio(pictures(2, 1, 20)),
    }


def train(crnn, leaky):
    random.seed(0)
    script.train_iter = iter(script.train_loader)
    losses = []
    for _ in range(len(script.train_loader)):
        for p in crnn.parameters():
            p.requires_grad = True
        crnn.train()
        cost = script.trainBatch(crnn, script.criterion, script.optimizer)
        script.loss_avg.add(cost)
        losses.append(cost.item())
    script.val(crnn, script.test_dataset, script.criterion)
    crnn.eval()
    return {
        "losses": losses,
        "average": script.loss_avg.val().item(),
        "preds": crnn(pictures(3, 1)),
        "conv": crnn.cnn.conv0.weight,
        "rnn": crnn.rnn[1].rnn.weight_hh_l0_reverse,
        "embedding": crnn.rnn[1].embedding.bias,
    }
