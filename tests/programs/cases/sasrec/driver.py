import argparse
import os
import sys

import numpy as np
import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "python"))

from model import PointWiseFeedForward, SASRec  # noqa: E402
from utils import WarpSampler, build_index, data_partition, evaluate, evaluate_valid  # noqa: E402

args = argparse.Namespace(
    dataset="made_up", train_dir="default", batch_size=4, lr=0.01, maxlen=8, hidden_units=12, num_blocks=2,
    num_epochs=2, num_heads=2, dropout_rate=0.0, l2_emb=0.01, device="cpu", norm_first=False,
)  # fmt: skip
pre_norm = argparse.Namespace(**{**vars(args), "norm_first": True, "num_heads": 1})
USERS, ITEMS = 9, 30


def write_data():
    rng = np.random.RandomState(0)
    os.makedirs("data", exist_ok=True)
    with open("data/made_up.txt", "w") as file:
        for user in range(1, USERS + 1):
            for item in rng.permutation(ITEMS)[: rng.randint(5, 10)]:
                file.write("%d %d\n" % (user, item + 1))
        file.write("1 %d\n" % ITEMS)


def build():
    model = SASRec(USERS, ITEMS, args)
    for name, param in model.named_parameters():
        try:
            torch.nn.init.xavier_normal_(param.data)
        except Exception:
            pass  # just ignore those failed init layers
    model.pos_emb.weight.data[0, :] = 0
    model.item_emb.weight.data[0, :] = 0
    return model, SASRec(USERS, ITEMS, pre_norm), PointWiseFeedForward(6, 0.0)


def init():
    torch.manual_seed(1)
    model = SASRec(200, 300, args)
    for name, param in model.named_parameters():
        try:
            torch.nn.init.xavier_normal_(param.data)
        except Exception:
            pass
    return {"item_emb": model.item_emb.weight, "in_proj": model.attention_layers[0].in_proj_weight}


def batch(seed):
    rng = np.random.RandomState(seed)
    seq = rng.randint(1, ITEMS + 1, (args.batch_size, args.maxlen))
    seq[0, :4] = 0
    seq[2, :1] = 0
    pos = rng.randint(1, ITEMS + 1, seq.shape) * (seq != 0)
    neg = rng.randint(1, ITEMS + 1, seq.shape) * (seq != 0)
    return np.arange(1, args.batch_size + 1), seq, pos, neg


def predicted(model):
    user, seq, _, _ = batch(2)
    return model.predict(*[np.array(one) for one in [user[:1], seq[:1], [3, 4, 9, 1]]])


def forward(*nets):
    model, normed, feed_forward = nets
    for net in nets:
        net.eval()
    write_data()
    inputs = torch.from_numpy(np.random.RandomState(3).randn(2, 5, 6).astype("float32"))
    return {
        "logits": lambda: torch.stack(model(*batch(0))),
        "norm_first": lambda: torch.stack(normed(*batch(0))),
        "feats": lambda: model.log2feats(batch(1)[1]),
        "predicted": lambda: predicted(model),
        "feed_forward": lambda: feed_forward(inputs),
        "index": lambda: np.concatenate([np.array(one) for one in build_index(args.dataset)[0] if one]),
    }


def train(model, normed, _):
    """The loop of main.py, which cannot be imported, for it reads the command line at once."""
    write_data()
    dataset = data_partition(args.dataset)
    [user_train, user_valid, user_test, usernum, itemnum] = dataset
    sampler = WarpSampler(
        user_train, usernum, itemnum, batch_size=args.batch_size, maxlen=args.maxlen, n_workers=1
    )
    u, seq, pos, neg = sampler.next_batch()
    shape = np.array(seq).shape
    sampler.close()
    model.train()
    bce_criterion = torch.nn.BCEWithLogitsLoss()
    adam_optimizer = torch.optim.Adam(model.parameters(), lr=args.lr, betas=(0.9, 0.98))
    losses, scores = [], []
    for epoch in range(1, args.num_epochs + 1):
        for step in range(2):
            u, seq, pos, neg = batch(10 * epoch + step)
            u, seq, pos, neg = np.array(u), np.array(seq), np.array(pos), np.array(neg)
            pos_logits, neg_logits = model(u, seq, pos, neg)
            pos_labels, neg_labels = (
                torch.ones(pos_logits.shape, device=args.device),
                torch.zeros(neg_logits.shape, device=args.device),
            )
            adam_optimizer.zero_grad()
            indices = np.where(pos != 0)
            loss = bce_criterion(pos_logits[indices], pos_labels[indices])
            loss += bce_criterion(neg_logits[indices], neg_labels[indices])
            for param in model.item_emb.parameters():
                loss += args.l2_emb * torch.sum(param**2)
            loss.backward()
            adam_optimizer.step()
            print("loss in epoch {} iteration {}: {}".format(epoch, step, loss.item()))
            losses.append(loss.item())

        model.eval()
        np.random.seed(5)
        scores.append(evaluate(model, dataset, args))
        scores.append(evaluate_valid(model, dataset, args))
        model.train()
    return {
        "shape": np.array(shape),
        "losses": losses,
        "scores": np.array(scores),
        "item_emb": model.item_emb.weight,
        "in_proj": model.attention_layers[0].in_proj_weight,
        "conv": model.forward_layers[1].conv2.weight,
    }
