import os

import numpy as np
import torch

import evaluate
from data import build_corpus
from evaluating import Metrics
from models import util
from models.bilstm import BiLSTM
from models.bilstm_crf import BILSTM_Model, BiLSTM_CRF
from models.config import LSTMConfig, TrainingConfig
from models.hmm import HMM
from utils import extend_maps, flatten_lists, load_model, prepocess_data_for_lstmcrf

LSTMConfig.emb_size, LSTMConfig.hidden_size = 6, 5
TrainingConfig.batch_size, TrainingConfig.epoches, TrainingConfig.print_step, TrainingConfig.lr = 4, 3, 1, 0.05
LETTERS, TAGS = "abcdefgh", ["O", "B-NAME", "E-NAME"]


def written():
    """Sentences in which a letter tells its tag, as the repository divides by how often each is found."""
    os.makedirs("ResumeNER", exist_ok=True)
    os.makedirs("ckpts", exist_ok=True)
    rng = np.random.RandomState(0)
    for split, count in (("train", 17), ("dev", 5), ("test", 4)):
        with open(f"ResumeNER/{split}.char.bmes", "w", encoding="utf-8") as file:
            for index in range(count):
                for place in rng.randint(0, len(LETTERS), 3 + (index * 2) % 5):
                    file.write(f"{LETTERS[place]} {TAGS[place % len(TAGS)]}\n")
                file.write("\n")


def corpus(crf):
    written()
    train_words, train_tags, word2id, tag2id = build_corpus("train")
    dev, test = build_corpus("dev", make_vocab=False), build_corpus("test", make_vocab=False)
    word2id, tag2id = extend_maps(word2id, tag2id, for_crf=crf)
    train = (train_words, train_tags)
    if crf:
        train, dev = prepocess_data_for_lstmcrf(*train), prepocess_data_for_lstmcrf(*dev)
        test = prepocess_data_for_lstmcrf(*test, test=True)
    return train, dev, test, word2id, tag2id


def build():
    nets = []
    for kind, crf in ((BiLSTM, False), (BiLSTM_CRF, True)):
        _, _, _, word2id, tag2id = corpus(crf)
        nets.append(kind(len(word2id), LSTMConfig.emb_size, LSTMConfig.hidden_size, len(tag2id)))
    return tuple(nets)


def init():
    torch.manual_seed(1)
    net = BiLSTM_CRF(200, 16, 32, 9)
    return {"embedding": net.bilstm.embedding.weight, "hidden": net.bilstm.bilstm.weight_hh_l0}


def forward(plain, crf):
    def scored(net, with_crf):
        train, _, _, word2id, tag2id = corpus(with_crf)
        words, tags, _ = util.sort_by_lengths(*train)
        sentences, lengths = util.tensorized(words[:5], word2id)
        targets, _ = util.tensorized(tags[:5], tag2id)
        scores = net(sentences, lengths)
        loss = (util.cal_lstm_crf_loss if with_crf else util.cal_loss)(scores, targets, tag2id)
        return [scores, loss, targets, net.test(sentences, lengths, tag2id)]

    def markov():
        train, _, test, word2id, tag2id = corpus(False)
        model = HMM(len(tag2id), len(word2id))
        model.train(*train, word2id, tag2id)
        found = model.test(test[0], word2id, tag2id)
        unknown = model.decoding(["a", "?", "b"], word2id, tag2id)
        return [model.A, model.B, model.Pi, [tag2id[tag] for tag in flatten_lists(found)], [tag2id[t] for t in unknown]]

    return {
        "plain": lambda: scored(plain, False),
        "crf": lambda: scored(crf, True),
        "markov": markov,
        "indexed": lambda: util.indexed(torch.tensor([[1, 2, 0], [2, 1, 1]]), 4, 3),
        "features": lambda: len(util.sent2features(["a", "b", "c"])[1]),
    }


def train(plain, crf):
    results = {}
    own = BILSTM_Model
    train_data, _, test_data, word2id, tag2id = corpus(False)
    predicted = [evaluate.hmm_train_eval(train_data, test_data, word2id, tag2id)]
    for name, net, with_crf in (("plain", plain, False), ("crf", crf, True)):

        train_data, dev_data, test_data, word2id, tag2id = corpus(with_crf)
        model = own(len(word2id), len(tag2id), crf=with_crf)
        model.model.load_state_dict(net.state_dict())
        first = [model.train_step(*[part[:4] for part in util.sort_by_lengths(*train_data)[:2]], word2id, tag2id)]
        results[name + "_first"] = first
        evaluate.BILSTM_Model = own
        found = evaluate.bilstm_train_and_eval(train_data, dev_data, test_data, word2id, tag2id, crf=with_crf)
        results[name + "_counts"] = [len(tags) for tags in found]
        kept = load_model(f"./ckpts/{'bilstm_crf' if with_crf else 'bilstm'}.pkl")
        results[name + "_kept"] = [kept.epoches, kept.step, kept._best_val_loss < 1e18]
        model.train(*train_data, *dev_data, word2id, tag2id)
        results[name + "_best"] = model._best_val_loss
        tags, true = model.test(*test_data, word2id, tag2id)
        results[name + "_tags"] = [tag2id[tag] for tag in flatten_lists(tags)]
        metrics = Metrics(true, tags)
        results[name + "_precision"] = [metrics.precision_scores[tag] for tag in sorted(metrics.precision_scores)]
        results[name + "_hidden"] = list(model.best_model.parameters())[-1]
        results[name + "_embedding"] = list(model.model.parameters())[0 if not with_crf else 1]
        predicted.append(tags)
    flat = [flatten_lists(tags) for tags in predicted]
    results["together"] = [len(one) for one in flat]
    evaluate.ensemble_evaluate(predicted, test_data[1])
    return results
