import importlib
import os
import sys

import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim

for folder in ("4-2.Seq2Seq(Attention)", "4-3.Bi-LSTM(Attention)"):
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), folder))

translation = importlib.import_module("Seq2Seq(Attention)")
sentiment = importlib.import_module("Bi-LSTM(Attention)")

# What the main blocks of the two scripts set.
translation.n_step, translation.n_hidden = 5, 16
translation.sentences = ["ich mochte ein bier P", "S i want a beer", "i want a beer E"]
words = sorted(set(" ".join(translation.sentences).split()))
translation.word_dict = {w: i for i, w in enumerate(words)}
translation.n_class = len(words)

sentiment.embedding_dim, sentiment.n_hidden, sentiment.num_classes = 2, 5, 2
sentiment.sentences = ["i love you", "he loves me", "she likes baseball", "i hate you", "sorry for that", "this is awful"]
sentiment.vocab = sorted(set(" ".join(sentiment.sentences).split()))
sentiment.word_dict = {w: i for i, w in enumerate(sentiment.vocab)}
sentiment.vocab_size = len(sentiment.vocab)


def build():
    return translation.Attention(), sentiment.BiLSTM_Attention()


def sentences():
    inputs = torch.LongTensor([np.asarray([sentiment.word_dict[n] for n in sen.split()]) for sen in sentiment.sentences])
    targets = torch.LongTensor([out for out in [1, 1, 1, 0, 0, 0]])
    return inputs, targets


def forward(attention, bilstm):
    attention.eval()
    bilstm.eval()
    input_batch, output_batch, _ = translation.make_batch()
    hidden = torch.zeros(1, 1, translation.n_hidden)
    predict, trained_attn = attention(input_batch, hidden, output_batch)
    scores, weights = bilstm(sentences()[0])
    return {
        "predict": predict,
        "attention": np.stack(trained_attn),
        "scores": scores,
        "weights": weights,
        "best": predict.data.max(1, keepdim=True)[1],
    }


def train(attention, bilstm):
    losses = []
    hidden = torch.zeros(1, 1, translation.n_hidden)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(attention.parameters(), lr=0.001)
    input_batch, output_batch, target_batch = translation.make_batch()
    for epoch in range(3):
        optimizer.zero_grad()
        output, _ = attention(input_batch, hidden, output_batch)
        loss = criterion(output, target_batch.squeeze(0))
        print("Epoch:", "%04d" % (epoch + 1), "cost =", "{:.6f}".format(loss))
        losses.append(loss.item())
        loss.backward()
        optimizer.step()

    criterion = nn.CrossEntropyLoss()
    optimizer = optim.Adam(bilstm.parameters(), lr=0.001)
    inputs, targets = sentences()
    for epoch in range(3):
        optimizer.zero_grad()
        output, weights = bilstm(inputs)
        loss = criterion(output, targets)
        print("Epoch:", "%04d" % (epoch + 1), "cost =", "{:.6f}".format(loss))
        losses.append(loss.item())
        loss.backward()
        optimizer.step()
    return {
        "losses": losses,
        "attn": attention.attn.weight,
        "encoder": attention.enc_cell.weight_hh_l0,
        "decoder": attention.dec_cell.weight_ih_l0,
        "embedding": bilstm.embedding.weight,
        "lstm": bilstm.lstm.weight_ih_l0_reverse,
    }
