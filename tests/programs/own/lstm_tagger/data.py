import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import Dataset

PAD, UNK = 0, 1

SENTENCES = [
    ("the dog ate the apple".split(), "D N V D N".split()),
    ("everybody read that book".split(), "N V D N".split()),
    ("the cat sleeps".split(), "D N V".split()),
    ("a child reads the old book".split(), "D N V D A N".split()),
    ("dogs bark".split(), "N V".split()),
    ("the old man bought a green hat".split(), "D A N V D A N".split()),
    ("she sings".split(), "N V".split()),
    ("that child sees a cat".split(), "D N V D N".split()),
]


class Vocab:
    def __init__(self, sequences, specials=("<pad>", "<unk>")):
        self.itos = list(specials)
        self.itos += sorted({token for sequence in sequences for token in sequence})
        self.stoi = {token: index for index, token in enumerate(self.itos)}

    def __len__(self):
        return len(self.itos)

    def encode(self, sequence):
        return torch.tensor([self.stoi.get(token, UNK) for token in sequence], dtype=torch.long)


class TaggingDataset(Dataset):
    def __init__(self, sentences, words, tags):
        self.items = [(words.encode(s), tags.encode(t)) for s, t in sentences]

    def __len__(self):
        return len(self.items)

    def __getitem__(self, index):
        return self.items[index]


def collate(batch):
    words, tags = zip(*batch)
    return pad_sequence(words, batch_first=True, padding_value=PAD), pad_sequence(tags, batch_first=True, padding_value=PAD)
