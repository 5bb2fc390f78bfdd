"""Weight tying: the second layer's own weight is dropped, the first one's is used by both."""

import torch.nn as nn


class LanguageModel(nn.Module):
    def __init__(self, vocabulary, width):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width)
        self.decoder = nn.Linear(width, vocabulary, bias=False)
        self.decoder.weight = self.embedding.weight


answer = LanguageModel(10, 4)
answer_same = answer.decoder.weight is answer.embedding.weight
