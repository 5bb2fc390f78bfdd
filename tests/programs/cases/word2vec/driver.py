import numpy as np
import torch

from word2vec.model import SkipGramModel
from word2vec.trainer import Word2VecTrainer

words = [f"word{number}" for number in range(20)]
rng = np.random.RandomState(0)
with open("input.txt", "w") as text:
    for _ in range(12):
        text.write(" ".join(rng.choice(words, 8)) + "\n")


def build():
    return SkipGramModel(20, 6), SkipGramModel(15, 4)


def forward(model, other):
    rng = np.random.RandomState(1)
    u, v, n = (torch.LongTensor(rng.randint(0, 15, size)) for size in ((7,), (7,), (7, 5)))
    return {"model": lambda: model(u, v, n), "other": lambda: other.forward(u, v, n)}


def train(model, other):
    def trained():
        np.random.seed(12345)
        trainer = Word2VecTrainer("input.txt", "out.vec", emb_dimension=6, batch_size=6, iterations=2, min_count=1)
        trainer.skip_gram_model = model
        trainer.data.discards = np.ones(len(trainer.data.discards))
        np.random.seed(5)
        trainer.train()
        with open("out.vec") as saved:
            values = [float(value) for line in list(saved)[1:] for value in line.split()[1:]]
        return [values, model.u_embeddings.weight, model.v_embeddings.weight]

    return {"trained": trained}
