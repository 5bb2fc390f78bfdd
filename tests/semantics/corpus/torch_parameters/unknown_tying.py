"""Tied under an unknown condition: the sum is unknown, the layers by themselves are known."""

# given: tie in (False, True)
import torch.nn as nn

embedding = nn.Embedding(10, 4)
decoder = nn.Linear(4, 10, bias=False)
if tie:
    decoder.weight = embedding.weight
answer = nn.ModuleList([embedding, decoder])
answer_embedding = embedding
answer_decoder = decoder
answer_twice = nn.ModuleList([embedding, embedding])
