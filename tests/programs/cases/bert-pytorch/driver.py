import random

import numpy as np
import torch
from torch.utils.data import DataLoader

from bert_pytorch.dataset import BERTDataset, WordVocab
from bert_pytorch.model import BERT, BERTLM
from bert_pytorch.trainer import BERTTrainer

rng = np.random.RandomState(0)
words = [f"w{i}" for i in range(40)]
with open("corpus.txt", "w", encoding="utf-8") as f:
    for _ in range(16):
        f.write(" ".join(rng.choice(words, 5)) + "\t" + " ".join(rng.choice(words, 6)) + "\n")
with open("corpus.txt", encoding="utf-8") as f:
    vocab = WordVocab(f)


def build():
    return BERTLM(BERT(len(vocab), hidden=32, n_layers=2, attn_heads=4, dropout=0.0), len(vocab))


def batch(seed):
    rng = np.random.RandomState(seed)
    tokens = rng.randint(5, len(vocab), (4, 14))
    tokens[:, 12:] = vocab.pad_index
    return torch.from_numpy(tokens), torch.from_numpy(
        np.repeat([[1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 0, 0]], 4, 0)
    )


def forward(model):
    model.eval()
    next_sentence, mask_lm = model(*batch(1))
    return {"next_sentence": next_sentence, "mask_lm": mask_lm, "hidden": model.bert(*batch(2))}


def train(model):
    random.seed(0)
    dataset = BERTDataset("corpus.txt", vocab, seq_len=14)
    loader = DataLoader(dataset, batch_size=4)
    trainer = BERTTrainer(
        model.bert,
        len(vocab),
        train_dataloader=loader,
        test_dataloader=loader,
        lr=1e-3,
        warmup_steps=20,
        with_cuda=False,
    )
    trainer.model.load_state_dict(model.state_dict())
    trainer.model.eval()  # some dropout of 0.1 is fixed in the code, and the trainer leaves the mode alone
    losses = []
    for epoch in range(2):
        trainer.train(epoch)
        next_sentence, mask_lm = trainer.model(*batch(3))
        losses.append(trainer.criterion(mask_lm.transpose(1, 2), batch(4)[0]).item())
    return {
        "losses": losses,
        "lr": [trainer.optim.param_groups[0]["lr"]],
        "weight": trainer.model.mask_lm.linear.weight,
        "embedding": model.bert.embedding.token.weight,
    }
