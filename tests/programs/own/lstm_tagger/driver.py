from torch.utils.data import DataLoader

from data import SENTENCES, TaggingDataset, Vocab, collate
from model import LSTMTagger
from train import evaluate, train as train_tagger

words = Vocab([sentence for sentence, _ in SENTENCES])
tags = Vocab([tag for _, tag in SENTENCES], specials=("<pad>",))


def loader():
    return DataLoader(TaggingDataset(SENTENCES, words, tags), batch_size=2, shuffle=False, collate_fn=collate)


def build():
    return LSTMTagger(len(words), len(tags))


def init():
    model = build()
    return {"embedding": model.word_embeddings.weight, "tags": model.hidden2tag.weight}


def forward(model):
    model.eval()
    sentences, _ = next(iter(loader()))
    return {"scores": model(sentences)}


def train(model):
    losses = train_tagger(model, loader())
    return {
        "losses": losses,
        "accuracy": evaluate(model, loader()),
        "hidden2tag": model.hidden2tag.weight,
        "embedding": model.word_embeddings.weight,
    }
