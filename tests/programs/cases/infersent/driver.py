import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from models import InferSent

WORDS = "a man is playing guitar two dogs run fast in the park woman sleeps".split()
SENTENCES = [
    "a man is playing guitar",
    "two dogs run",
    "the woman sleeps in the park today",
    "a dogs",
    "unknown words only",
]
BASE = {"bsize": 4, "word_emb_dim": 8, "enc_lstm_dim": 6, "dpout_model": 0.0}


def write_vectors():
    rng = np.random.RandomState(0)
    with open("vectors.txt", "w", encoding="utf-8") as file:
        for word in ["<s>", "</s>", "<p>", "</p>", *WORDS]:
            file.write(word + " " + " ".join("%.5f" % value for value in rng.randn(8)) + "\n")


class NLINet(nn.Module):
    """The classifier of the paper, over two encoded sentences."""

    def __init__(self, encoder):
        super(NLINet, self).__init__()
        self.encoder = encoder
        self.classifier = nn.Sequential(
            nn.Linear(4 * 2 * BASE["enc_lstm_dim"], 16), nn.Tanh(), nn.Linear(16, 3)
        )

    def forward(self, s1, s2):
        u = self.encoder(s1)
        v = self.encoder(s2)
        features = torch.cat((u, v, torch.abs(u - v), u * v), 1)
        return self.classifier(features)


def build():
    first = NLINet(InferSent({**BASE, "pool_type": "max", "version": 1}))
    second = InferSent({**BASE, "pool_type": "max", "version": 2})
    mean = InferSent({**BASE, "pool_type": "mean"})
    return first, second, mean


def encoded(model, **more):
    model.set_w2v_path("vectors.txt")
    model.build_vocab(SENTENCES, tokenize=False)
    model.update_vocab(["the man sleeps"], tokenize=False)
    return model.encode(SENTENCES, tokenize=False, **more)


def forward(first, second, mean):
    for net in (first, second, mean):
        net.eval()
    write_vectors()
    inputs = torch.from_numpy(np.random.RandomState(2).randn(5, 3, 8).astype("float32"))
    lengths = np.array([2, 5, 3])
    return {
        "max": lambda: encoded(first.encoder),
        "not_padded": lambda: encoded(second, bsize=2, verbose=True),
        "mean": lambda: encoded(mean, bsize=3),
        "direct": lambda: second((inputs, lengths)),
        "nli": lambda: first((inputs, lengths), (inputs, np.array([5, 4, 1]))),
    }


def train(net, second, mean):
    """As the paper trains: SGD with shrinking steps, gradients scaled by their norm."""
    rng = np.random.RandomState(3)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    loss_fn = nn.CrossEntropyLoss()
    loss_fn.size_average = False
    max_norm = 5.0
    net.train()
    losses, correct = [], 0.0
    for epoch in range(2):
        optimizer.param_groups[0]["lr"] = optimizer.param_groups[0]["lr"] * 0.99 if epoch > 0 else 0.1
        for step in range(2):
            s1_batch = torch.from_numpy(rng.randn(6, 4, 8).astype("float32"))
            s2_batch = torch.from_numpy(rng.randn(5, 4, 8).astype("float32"))
            s1_len, s2_len = np.array([6, 3, 2, 5]), np.array([1, 5, 5, 3])
            tgt_batch = torch.LongTensor(rng.randint(0, 3, 4))
            output = net((s1_batch, s1_len), (s2_batch, s2_len))
            pred = output.data.max(1)[1]
            correct += pred.long().eq(tgt_batch.data.long()).cpu().sum()
            loss = loss_fn(output, tgt_batch)
            losses.append(loss.item())
            optimizer.zero_grad()
            loss.backward()
            shrink_factor = 1
            total_norm = 0
            for p in net.parameters():
                if p.requires_grad:
                    p.grad.data.div_(4)
                    total_norm += p.grad.data.norm() ** 2
            total_norm = np.sqrt(total_norm.cpu())
            if total_norm > max_norm:
                shrink_factor = max_norm / total_norm
            current_lr = optimizer.param_groups[0]["lr"]
            optimizer.param_groups[0]["lr"] = current_lr * float(shrink_factor)
            optimizer.step()
            optimizer.param_groups[0]["lr"] = current_lr
    return {
        "losses": losses,
        "correct": float(correct),
        "lstm": net.encoder.enc_lstm.weight_hh_l0_reverse,
        "classifier": net.classifier[0].weight,
    }
