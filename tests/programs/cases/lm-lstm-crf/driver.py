import json
import os
import runpy
import sys

import numpy as np
import torch

from model import utils
from model.crf import CRFDecode_vb, CRFLoss_gd, CRFLoss_vb, CRFRepack_WC
from model.lm_lstm_crf import LM_LSTM_CRF
from model.lstm_crf import LSTM_CRF
from model.predictor import predict_wc

here = os.path.dirname(os.path.abspath(__file__))
LABELS = ["S-PER", "O", "B-LOC", "E-LOC", "I-LOC"]


def lines(seed, count):
    """Sentences in the repository's format: a word and its label a line, an empty line after each sentence."""
    rng = np.random.RandomState(seed)
    made = []
    for _ in range(count):
        for _ in range(rng.randint(1, 12)):
            word = "".join(rng.choice(list("abcdeFG"), rng.randint(1, 5)))
            made.append(word + " NN " + rng.choice(LABELS) + "\n")
        made.append("\n")
    return made


def tables():
    features, labels, f_map, l_map, c_map = utils.generate_corpus_char(lines(1, 20), True, 1)
    f_map = utils.shrink_features(f_map, features, 1)
    return features, labels, f_map, l_map, c_map


def build():
    _, _, f_map, l_map, c_map = tables()
    sizes = (len(l_map), len(c_map), 4, 6, 1, 5, 8, 1, len(f_map), 0.0)
    large = LM_LSTM_CRF(*sizes, large_CRF=True, if_highway=True, in_doc_words=len(f_map), highway_layers=2)
    small = LM_LSTM_CRF(*sizes, large_CRF=False, in_doc_words=len(f_map))
    words = LSTM_CRF(len(f_map), len(l_map), 5, 8, 2, 0.0, large_CRF=False)
    for net in (large, small, words):
        net.rand_init()
    return large, small, words


def batch():
    features, labels, f_map, l_map, c_map = tables()
    dataset, _, _ = utils.construct_bucket_mean_vb_wc(features, labels, l_map, c_map, f_map, True)
    loader = torch.utils.data.DataLoader(dataset[-1], 5)
    packer = CRFRepack_WC(len(l_map), False)
    return packer.repack_vb(*next(iter(loader))), l_map


def forward(large, small, words):
    for net in (large, small, words):
        net.eval()
    (f_f, f_p, b_f, b_p, w_f, tg, mask), l_map = batch()
    viterbi = CRFLoss_vb(len(l_map), l_map["<start>"], l_map["<pad>"])
    decoder = CRFDecode_vb(len(l_map), l_map["<start>"], l_map["<pad>"])
    vectors = torch.from_numpy(np.random.RandomState(4).randn(3, 5, 5).astype("float32"))

    def predicted():
        features, _, f_map, l_map, c_map = tables()
        predictor = predict_wc(
            False,
            f_map,
            c_map,
            l_map,
            f_map["<eof>"],
            c_map["\n"],
            l_map["<pad>"],
            l_map["<start>"],
            True,
            50,
            True,
        )
        return predictor.apply_model(small, features[:4])

    return {
        "scores": large(f_f, f_p, b_f, b_p, w_f),
        "small_scores": small(f_f, f_p, b_f, b_p, w_f),
        "word_scores": words(w_f)[0],
        "forward_words": lambda: large.word_pre_train_forward(f_f, f_p[0:-1, :].contiguous())[0],
        "backward_words": lambda: small.word_pre_train_backward(b_f, b_p[1:, :].contiguous())[0],
        "loss": lambda: viterbi(large(f_f, f_p, b_f, b_p, w_f), tg, mask),
        "decoded": lambda: decoder.decode(small(f_f, f_p, b_f, b_p, w_f).data, mask),
        "log_sum_exp": lambda: utils.log_sum_exp(vectors, 5),
        "switched": lambda: utils.switch(vectors[0], vectors[1], vectors[2] > 0),
        "argmax": lambda: torch.tensor(utils.argmax(vectors[:, 0])),
        "predicted": predicted,
    }


def run_script(name, net, epochs, **more):
    """The whole script, from a checkpoint with these weights."""
    features, _, f_map, l_map, c_map = tables()
    for file, seed, count in (("train", 1, 20), ("dev", 1, 12), ("test", 1, 10)):
        with open(file + ".iobes", "w") as out:
            out.writelines(lines(seed, count))
    os.makedirs("checkpoint", exist_ok=True)
    argv = [
        name,
        "--gpu",
        "-1",
        "--rand_embedding",
        "--epoch",
        str(epochs),
        "--drop_out",
        "0",
        "--batch_size",
        "5",
    ]
    argv += [
        "--train_file",
        "train.iobes",
        "--dev_file",
        "dev.iobes",
        "--test_file",
        "test.iobes",
        "--mini_count",
        "1",
    ]
    argv += ["--caseless", "--word_hidden" if name == "train_wc.py" else "--hidden", "8"]
    for key, value in more.items():
        argv += ["--" + key] + ([] if value is True else [str(value)])
    if name == "train_wc.py":
        checkpoint = {
            "epoch": 0,
            "state_dict": net.state_dict(),
            "f_map": f_map,
            "l_map": l_map,
            "c_map": c_map,
        }
        torch.save({**checkpoint, "in_doc_words": len(f_map)}, "checkpoint/start.model")
        argv += [
            "--load_check_point",
            "checkpoint/start.model",
            "--char_hidden",
            "6",
            "--char_dim",
            "4",
            "--word_dim",
            "5",
        ]
    else:
        argv += ["--embedding_dim", "5", "--layers", "2"]
    before, sys.argv = sys.argv, argv
    try:
        made = runpy.run_path(os.path.join(here, name), run_name="__main__")
    finally:
        sys.argv = before
    return made


def trained_wc(net, **more):
    made = run_script("train_wc.py", net, 2, **more)
    net = made["ner_model"]
    scores = [made["epoch_loss"], made["evaluator"].calc_score(net, made["dev_dataset_loader"])["total"][0]]
    return [torch.tensor(scores), net.char_embeds.weight, net.word_lstm.weight_ih_l0, net.word_lstm.bias_hh_l0,
            net.crf.hidden2tag.weight, net.word_pre_train_out.weight]  # fmt: skip


def trained_w(net):
    """The word model's script starts from weights of its own: only its sizes are compared, then steps of this net."""
    made = run_script("train_w.py", net, 1, small_crf=True)
    with open(os.path.join("checkpoint", "track.json"), "w") as out:
        json.dump(made["track_list"], out)
    packer, crit, results = made["packer"], made["crit"], []
    optimizer = torch.optim.SGD(net.parameters(), lr=0.015, momentum=0.9)
    net.train()
    for loader in made["dataset_loader"]:
        for feature, tg, mask in loader:
            fea_v, tg_v, mask_v = packer.repack_vb(feature, tg, mask)
            net.zero_grad()
            scores, hidden = net.forward(fea_v)
            loss = crit.forward(scores, tg_v, mask_v)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            optimizer.step()
            results.append(utils.to_scalar(loss))
    return [torch.tensor(results), net.lstm.weight_hh_l1, net.crf.transitions]


def train(large, small, words):
    return {
        "large": lambda: trained_wc(large, co_train=True, high_way=True, highway_layers=2),
        "small": lambda: trained_wc(small, small_crf=True, update="adam", co_train=True),
        "words": lambda: trained_w(words),
        "greedy": lambda: torch.tensor(CRFLoss_gd(5, 0, 1).average_batch),
    }


def init():
    net = LM_LSTM_CRF(6, 60, 40, 50, 1, 40, 60, 1, 70, 0.0, if_highway=True, in_doc_words=70)
    net.rand_init(init_word_embedding=True)
    return {
        "char": net.char_embeds.weight,
        "lstm": net.word_lstm.weight_ih_l0,
        "bias": net.word_lstm.bias_ih_l0,
        "crf": net.crf.hidden2tag.weight,
    }
