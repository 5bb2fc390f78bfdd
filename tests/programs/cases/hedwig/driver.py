import os
import tempfile
from types import SimpleNamespace

import numpy as np
import torch

from common.evaluators.classification_evaluator import ClassificationEvaluator
from common.trainers.classification_trainer import ClassificationTrainer
from models.char_cnn.model import CharCNN
from models.fasttext.model import FastText
from models.han.model import HAN
from models.kim_cnn.model import KimCNN
from models.lr.model import LogisticRegression
from models.reg_lstm.locked_dropout import LockedDropout
from models.reg_lstm.model import RegLSTM
from models.xml_cnn.model import XmlCNN

WORDS, SIZE, CLASSES, BATCH = 30, 6, 4, 5


def dataset():
    vectors = torch.from_numpy(np.random.RandomState(5).randn(WORDS, SIZE).astype("float32"))
    return SimpleNamespace(
        NAME="Reuters", TEXT_FIELD=SimpleNamespace(vocab=SimpleNamespace(vectors=vectors)), examples=[0] * (2 * BATCH)
    )


def config(**changed):
    made = dict(
        dataset=dataset(), target_class=CLASSES, words_num=WORDS, words_dim=SIZE, mode="rand", dropout=0.0,
        output_channel=5, cuda=False, num_conv_filters=6, num_affine_neurons=8, num_bottleneck_hidden=7,
        dynamic_pool_length=3, word_num_hidden=4, sentence_num_hidden=3, vocab_size=WORDS, num_labels=CLASSES,
        bidirectional=False, bottleneck_layer=False, num_layers=2, hidden_dim=6, tar=0.0, ar=0.0, beta_ema=0.0,
        wdrop=0.0, embed_droprate=0.0,
    )  # fmt: skip
    made.update(changed)
    return SimpleNamespace(**made)


# A dropout this small leaves everything and runs all its code.
LITTLE = 1e-12
KINDS = {
    "kim": (KimCNN, dict(mode="multichannel")),
    "kim_static": (KimCNN, dict(mode="static")),
    "xml": (XmlCNN, dict(mode="non-static")),
    "fasttext": (FastText, dict()),
    "han": (HAN, dict()),
    "char": (CharCNN, dict()),
    "lstm": (RegLSTM, dict(bidirectional=True, bottleneck_layer=True, tar=1.0, ar=0.5, mode="non-static")),
    "dropped": (RegLSTM, dict(wdrop=LITTLE, beta_ema=0.9, embed_droprate=LITTLE, num_layers=1)),
    "logistic": (LogisticRegression, dict()),
}


def build():
    return tuple(kind(config(**changed)) for kind, changed in KINDS.values())


def init():
    torch.manual_seed(4)
    big = config(words_num=200, words_dim=20, word_num_hidden=20)
    return {
        "embed": FastText(big).embed.weight,
        "context": HAN(big).word_attention_rnn.word_context_weights,
    }


class Batches:
    """Made-up batches, as torchtext gives them."""

    def __init__(self, name, is_multilabel):
        self.dataset, self.name, self.is_multilabel = dataset(), name, is_multilabel

    def init_epoch(self):
        self.rng = np.random.RandomState(1)

    def __len__(self):
        return 2

    def text(self):
        if self.name == "han":
            return torch.from_numpy(self.rng.randint(0, WORDS, (BATCH, 3, 4)))
        if self.name == "char":
            return torch.from_numpy(self.rng.rand(BATCH, 150, 68))
        if self.name == "logistic":
            return torch.from_numpy(self.rng.rand(BATCH, 1, WORDS).astype("float32"))
        return torch.from_numpy(self.rng.randint(0, WORDS, (BATCH, 9)))

    def __iter__(self):
        for _ in range(len(self)):
            if self.is_multilabel:
                label = self.rng.randint(0, 2, (BATCH, CLASSES))
            else:
                label = np.eye(CLASSES, dtype="int64")[self.rng.randint(0, CLASSES, BATCH)]
            text = self.text()
            if not self.ignores_lengths():
                text = (text, torch.from_numpy(np.sort(self.rng.randint(3, 10, BATCH))[::-1].copy()))
            yield SimpleNamespace(text=text, label=torch.from_numpy(label), batch_size=BATCH)

    def ignores_lengths(self):
        return self.name in ("han", "char", "fasttext")


def forward(*nets):
    outputs = {}
    for (name, _), net in zip(KINDS.items(), nets):
        net.eval()
        batches = Batches(name, False)
        batches.init_epoch()
        text = next(iter(batches)).text
        if batches.ignores_lengths():
            outputs[name] = lambda net=net, x=text: net(x)
        elif name == "lstm":
            outputs["lstm_hidden"] = lambda net=net, x=text: net(x[0], lengths=x[1])[1]
            outputs["lstm_whole"] = lambda net=net, x=text: net(x[0])
        elif name == "dropped":  # its LSTM takes no packed sequences in torch of today
            outputs[name] = lambda net=net, x=text: net(x[0])
        else:
            outputs[name] = lambda net=net, x=text: net(x[0], lengths=x[1])
    locked = LockedDropout()
    outputs["locked"] = lambda: locked(torch.ones(2, 3, 4), dropout=LITTLE)
    return outputs


class Scores:
    """The evaluator of the repository, which asks scikit-learn for all but the loss."""

    def __init__(self, evaluator):
        self.evaluator = evaluator

    def loss(self):
        return float(self.evaluator.get_scores()[0][-1])


def train(*nets):
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        for (name, _), net in zip(KINDS.items(), nets):
            for is_multilabel in (False, True):
                if name == "dropped" and is_multilabel:
                    continue
                batches = Batches(name, is_multilabel)
                parameter = filter(lambda p: p.requires_grad, net.parameters())
                made = {
                    "optimizer": torch.optim.Adam(parameter, lr=0.001, weight_decay=0.01),
                    "batch_size": BATCH,
                    "log_interval": 10,
                    "patience": 3,
                    "model_outfile": os.path.join(folder, name),
                    "logger": None,
                    "is_multilabel": is_multilabel,
                    "ignore_lengths": batches.ignores_lengths(),
                }
                trainer = ClassificationTrainer(net, None, batches, made, None, None, None)
                trainer.train(2)
                evaluator = ClassificationEvaluator(batches.dataset, net, None, batches, BATCH, -1)
                evaluator.ignore_lengths = batches.ignores_lengths()
                evaluator.is_multilabel = is_multilabel
                results[f"{name}_{is_multilabel}"] = Scores(evaluator).loss()
            last = net.sentence_attention_rnn.fc if name == "han" else net.fc1
            results[name + "_weight"] = last.weight
    return results
