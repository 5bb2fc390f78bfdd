import io
from contextlib import redirect_stdout

import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim

from torchmoji import finetuning
from torchmoji.attlayer import Attention
from torchmoji.finetuning import evaluate_using_acc, fit_model, freeze_layers, get_data_loader, train_by_chain_thaw
from torchmoji.lstm import LSTMHardSigmoid
from torchmoji.model_def import TorchMoji, load_specific_weights

TOKENS, CLASSES, LENGTH = 30, 4, 7
finetuning.accuracy_score = lambda wanted, found: float(np.mean(np.asarray(wanted) == np.asarray(found)))
finetuning.sleep = lambda seconds: None


def sentences(seed, count):
    """Numbers of words, with zeros behind them; the class is told by the first."""
    rng = np.random.RandomState(seed)
    texts = np.zeros((count, LENGTH), dtype="int64")
    for row in texts:
        length = rng.randint(2, LENGTH + 1)
        row[:length] = rng.randint(1, TOKENS, length)
    return texts, texts[:, 0] % CLASSES


def batches(seed, count=12, size=4):
    texts, classes = sentences(seed, count)
    return get_data_loader(texts, classes, size, extended_batch_sampler=False)


def build():
    torch.manual_seed(0)
    layer = LSTMHardSigmoid(5, 6, num_layers=2, bidirectional=True)
    return (
        TorchMoji(CLASSES, TOKENS, output_logits=True),
        TorchMoji(2, TOKENS, output_logits=True),
        TorchMoji(CLASSES, TOKENS, feature_output=True, return_attention=True),
        layer,
    )


def init():
    torch.manual_seed(1)
    net = TorchMoji(64, 2000)
    return {
        "embedding": net.embed.weight,
        "input": net.lstm_0.weight_ih_l0,
        "hidden": net.lstm_0.weight_hh_l0,
        "output": net.output_layer[0].weight,
        "attention": Attention(4000).attention_vector,
    }


def forward(net, two, features, layer):
    texts, _ = sentences(1, 5)

    def loaded():
        torch.save(two.state_dict(), "weights.bin")
        load_specific_weights(net, "weights.bin", exclude_names=["output_layer"], verbose=False)
        return net(torch.from_numpy(texts).long())

    def alone():
        given = torch.from_numpy(np.random.RandomState(3).randn(4, 2, 5).astype("float32"))
        output, (hidden, cell) = layer(given)
        return [output, hidden, cell]

    return {
        "tensor": lambda: net(torch.from_numpy(texts).long()),
        "array": lambda: torch.from_numpy(two(texts)),
        "loaded": loaded,
        "features": lambda: list(features(torch.from_numpy(texts).long())),
        "layer": alone,
        "names": lambda: [str(net).count("LSTMHardSigmoid"), len(str(features.attention_layer))],
    }


def train(net, two, features, layer):
    losses = []

    def thawed():
        """Each layer is trained alone, then all of them."""
        with redirect_stdout(io.StringIO()) as said:
            train_by_chain_thaw(net, batches(4), batches(5, 8), nn.CrossEntropyLoss(), 5, 1, "best.bin", 0.01, 0.002)
        return [float(line.split()[-1]) for line in said.getvalue().splitlines() if line.startswith("val loss")]

    def last():
        """The output layer alone."""
        freeze_layers(two, unfrozen_keyword="output_layer")
        texts, classes = sentences(6, 12)
        loader = get_data_loader(texts, classes % 2, 4, extended_batch_sampler=False)
        adam = optim.Adam((p for p in two.parameters() if p.requires_grad), lr=0.01)
        with redirect_stdout(io.StringIO()) as said:
            fit_model(two, nn.BCEWithLogitsLoss(), adam, loader, loader, 2, "two.bin", 5)
        return [float(line.split()[7]) for line in said.getvalue().splitlines() if line.startswith("==")]

    losses += thawed()
    losses += last()
    losses.append(evaluate_using_acc(net, batches(7)))
    return {"losses": losses}
