import importlib
import os
import sys

import torch
import torch.nn as nn
import torch.optim as optim

for folder in ("5-1.Transformer", "2-1.TextCNN"):
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), folder))

translation = importlib.import_module("Transformer(Greedy_decoder)")
sentiment = importlib.import_module("TextCNN")

# What the main blocks of the two scripts set.
translation.sentences = ["ich mochte ein bier P", "S i want a beer", "i want a beer E"]
translation.src_vocab = {"P": 0, "ich": 1, "mochte": 2, "ein": 3, "bier": 4}
translation.src_vocab_size = 5
translation.tgt_vocab = {"P": 0, "i": 1, "want": 2, "a": 3, "beer": 4, "S": 5, "E": 6}
translation.number_dict = {i: w for i, w in enumerate(translation.tgt_vocab)}
translation.tgt_vocab_size = 7
translation.src_len = translation.tgt_len = 5
translation.d_model, translation.d_ff, translation.d_k, translation.d_v = 32, 64, 8, 8
translation.n_layers, translation.n_heads = 2, 4

sentiment.embedding_size, sentiment.sequence_length, sentiment.num_classes = 2, 3, 2
sentiment.filter_sizes, sentiment.num_filters = [2, 2, 2], 3
sentences = ["i love you", "he loves me", "she likes baseball", "i hate you", "sorry for that", "this is awful"]
words = sorted(set(" ".join(sentences).split()))
word_dict = {w: i for i, w in enumerate(words)}
sentiment.vocab_size = len(words)


def build():
    return translation.Transformer(), sentiment.TextCNN()


def data():
    inputs = torch.LongTensor([[word_dict[n] for n in sen.split()] for sen in sentences])
    return inputs, torch.LongTensor([1, 1, 1, 0, 0, 0])


def forward(transformer, cnn):
    transformer.eval()
    cnn.eval()
    enc_inputs, dec_inputs, _ = translation.make_batch()
    outputs, enc_attns, dec_attns, cross_attns = transformer(enc_inputs, dec_inputs)
    return {
        "outputs": outputs,
        "enc_attention": enc_attns[-1],
        "dec_attention": dec_attns[-1],
        "cross_attention": cross_attns[0],
        "scores": cnn(data()[0]),
        "greedy": lambda: translation.greedy_decoder(transformer, enc_inputs, start_symbol=translation.tgt_vocab["S"]),
    }


def train(transformer, cnn):
    losses = []
    criterion = nn.CrossEntropyLoss()
    optimizer = optim.Adam(transformer.parameters(), lr=0.001)
    enc_inputs, dec_inputs, target_batch = translation.make_batch()
    for epoch in range(3):
        optimizer.zero_grad()
        outputs, enc_self_attns, dec_self_attns, dec_enc_attns = transformer(enc_inputs, dec_inputs)
        loss = criterion(outputs, target_batch.contiguous().view(-1))
        print("Epoch:", "%04d" % (epoch + 1), "cost =", "{:.6f}".format(loss))
        losses.append(loss.item())
        loss.backward()
        optimizer.step()

    optimizer = optim.Adam(cnn.parameters(), lr=0.001)
    inputs, targets = data()
    for epoch in range(3):
        optimizer.zero_grad()
        loss = criterion(cnn(inputs), targets)
        losses.append(loss.item())
        loss.backward()
        optimizer.step()
    return {
        "losses": losses,
        "query": transformer.encoder.layers[0].enc_self_attn.W_Q.weight,
        "positions": transformer.encoder.pos_emb.weight,
        "projection": transformer.projection.weight,
        "word": cnn.W.weight,
        "filter": cnn.filter_list[0].weight,
        "bias": cnn.Bias,
    }
