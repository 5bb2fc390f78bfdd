import os
import runpy

import numpy as np
import torch

TAGS = ["I-PER", "O", "I-LOC", "I-ORG"]


def sentences(seed, count):
    """A file in the format of CoNLL 2003."""
    rng = np.random.RandomState(seed)
    lines = ["-DOCSTART- -X- O O\n", "\n"]
    for _ in range(count):
        for _ in range(rng.randint(2, 8)):
            word = "".join(rng.choice(list("abcdE"), rng.randint(1, 4)))
            lines.append(word + " NN I-NP " + rng.choice(TAGS) + "\n")
        lines.append("\n")
    return lines


def write_files():
    os.makedirs("datasets", exist_ok=True)
    os.makedirs("embeddings", exist_ok=True)
    for name, seed, count in (("eng.train", 1, 12), ("eng.testa", 2, 5)):
        with open("datasets/" + name, "w") as file:
            file.writelines(sentences(seed, count))
    rng = np.random.RandomState(5)
    with open("embeddings/glove.6B.100d.txt", "w") as file:
        for word in ("a", "b", "ab", "ba", "cab", "zebra", "dd", "e"):
            file.write(" ".join([word, *("%.3f" % value for value in rng.randn(6))]) + "\n")


write_files()

import models
import train as training
import utils
from datasets import WCDataset
from inference import ViterbiDecoder

training.min_word_freq, training.batch_size, training.epochs, training.dropout = 1, 12, 2, 0.0
training.word_rnn_dim, training.char_rnn_dim, training.char_emb_dim, training.workers = 10, 7, 5, 0
training.highway_layers = 2


def tables():
    words, tags = utils.read_words_tags("datasets/eng.train", 3)
    val_words, val_tags = utils.read_words_tags("datasets/eng.testa", 3)
    return words, tags, *utils.create_maps(words + val_words, tags + val_tags, 1, 1)


def build():
    words, _, word_map, char_map, tag_map = tables()
    embeddings, word_map, in_corpus = utils.load_embeddings("embeddings/glove.6B.100d.txt", word_map)
    net = models.LM_LSTM_CRF(
        len(tag_map), len(char_map), 5, 7, 1, len(word_map), in_corpus, 6, 10, 1, 0.0, highway_layers=2
    )
    net.init_word_embeddings(embeddings)
    net.fine_tune_word_embeddings(False)
    return net


def batch():
    words, tags, word_map, char_map, tag_map = tables()
    data = WCDataset(*utils.create_input_tensors(words, tags, word_map, char_map, tag_map))
    wmaps, cmaps_f, cmaps_b, cmarkers_f, cmarkers_b, tmaps, lengths, char_lengths = next(
        iter(torch.utils.data.DataLoader(data, batch_size=6))
    )
    longest, longest_chars = max(lengths.tolist()), max(char_lengths.tolist())
    return (
        cmaps_f[:, :longest_chars], cmaps_b[:, :longest_chars], cmarkers_f[:, :longest], cmarkers_b[:, :longest],
        wmaps[:, :longest], tmaps[:, :longest], lengths, char_lengths,
    ), tag_map  # fmt: skip


def forward(net):
    inputs, tag_map = batch()
    net.eval()
    scores, wmaps, tmaps, lengths, order, char_order = net(*inputs)
    criterion = models.ViterbiLoss(tag_map)
    vectors = torch.from_numpy(np.random.RandomState(4).randn(3, 5, 5).astype("float32"))
    net.train()
    in_training = net(*inputs)
    return {
        "scores": scores,
        "words": wmaps,
        "lengths": lengths,
        "char_order": inputs[0][char_order][:, :2],
        "language": in_training[1],
        "backward_language": in_training[2],
        "loss": lambda: criterion(scores, tmaps, lengths),
        "decoded": lambda: ViterbiDecoder(tag_map).decode(scores, lengths),
        "log_sum_exp": lambda: utils.log_sum_exp(vectors, 1),
        "dynamic": dynamic,
    }


def train(net):
    """The script's own main, twice: from these weights, and from the checkpoint that it left."""
    made, load = training.LM_LSTM_CRF, training.load_embeddings
    training.LM_LSTM_CRF = lambda **sizes: net
    training.load_embeddings = lambda *args: (net.word_embeds.weight.data.clone(), *load(*args)[1:])
    training.start_epoch, training.epochs, training.checkpoint = 0, 2, None
    try:
        training.main()
    finally:
        training.LM_LSTM_CRF, training.load_embeddings = made, load
    saved = torch.load("checkpoint_lm_lstm_crf.pth.tar", weights_only=False)
    f1 = [saved["f1"], saved["epoch"], training.best_f1]
    transition = saved["model"].crf.transition.detach().clone()
    training.epochs, training.checkpoint = 3, "checkpoint_lm_lstm_crf.pth.tar"
    training.main()
    again = torch.load("checkpoint_lm_lstm_crf.pth.tar", weights_only=False)
    return {
        "f1": f1,
        "transition": transition,
        "char_lstm": net.forw_char_lstm.weight_hh_l0,
        "word_lstm": net.word_blstm.weight_ih_l0_reverse,
        "gate": net.subword_hw.gate[1].weight,
        "embedding": net.word_embeds.weight,
        "again": again["model"].crf.emission.weight,
        "rate": again["optimizer"].param_groups[0]["lr"],
        "epochs": again["epoch"],
    }


def dynamic():
    torch.manual_seed(0)
    names = runpy.run_path("dynamic_rnn.py")
    padded = [int(value) for value in names["lens"]]
    return [*names["out_dynamic"].shape, *padded, *names["packed_seqs"][0].tolist(), *names["packed_seqs"][1].tolist()]


def init():
    torch.manual_seed(0)
    table = torch.empty(200, 30)
    utils.init_embedding(table)
    net = models.LM_LSTM_CRF(6, 20, 30, 40, 1, 50, 50, 30, 40, 1, 0.0)
    return {"table": table, "lstm": net.word_blstm.weight_hh_l0, "highway": net.forw_lm_hw.gate[0].weight}
