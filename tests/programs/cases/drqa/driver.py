import argparse
import json
import os
import sys

import numpy as np
import torch

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, here)
sys.path.insert(0, os.path.join(here, "scripts", "reader"))

import train as reader_training  # noqa: E402

from drqa.reader import DocReader, config, data, utils, vector  # noqa: E402

WORDS = ["word%d" % number for number in range(30)]


def write_examples():
    rng = np.random.RandomState(0)
    with open("examples.txt", "w") as file:
        for number in range(6):
            length = int(rng.randint(5, 11))
            document = [WORDS[index] for index in rng.randint(0, 30, length)]
            question = [document[0].upper()] + [WORDS[index] for index in rng.randint(0, 30, rng.randint(2, 5))]
            start = int(rng.randint(0, length - 2))
            example = {
                "id": "id%d" % number, "document": document, "question": question, "lemma": document,
                "qlemma": question, "pos": [["NN", "VB", "DT"][index] for index in rng.randint(0, 3, length)],
                "ner": [["O", "PERSON"][index] for index in rng.randint(0, 2, length)],
                "answers": [[start, start + 1], [start, start]],
            }  # fmt: skip
            file.write(json.dumps(example) + "\n")
    with open("vectors.txt", "w") as file:
        for word in WORDS[:20] + WORDS[:1]:
            file.write(word + " " + " ".join("%.4f" % value for value in rng.randn(8)) + "\n")


def arguments(**changes):
    parser = argparse.ArgumentParser()
    reader_training.add_train_args(parser)
    config.add_model_args(parser)
    args = parser.parse_args([
        "--embedding-dim", "8", "--hidden-size", "6", "--doc-layers", "2", "--question-layers", "1",
        "--dropout-emb", "0", "--dropout-rnn", "0", "--rnn-padding", "true", "--restrict-vocab", "false",
        "--batch-size", "3", "--display-iter", "1", "--data-workers", "0",
    ])  # fmt: skip
    vars(args).update(model_file="model", embedding_file=None, cuda=False, **changes)
    return args


def examples():
    write_examples()
    return utils.load_data(arguments(), "examples.txt", skip_no_answer=True)


def reader(args, loaded):
    feature_dict = utils.build_feature_dict(args, loaded)
    word_dict = data.Dictionary()
    for word in sorted(utils.load_words(args, loaded)):
        word_dict.add(word)
    return DocReader(config.get_model_args(args), word_dict, feature_dict)


def build():
    loaded = examples()
    kinds = [{}, {"rnn_type": "gru", "question_merge": "avg"}, {"optimizer": "sgd", "tune_partial": 1}]
    return tuple(reader(arguments(**kind), loaded).network for kind in kinds)


def readers(nets):
    loaded = examples()
    kinds = [
        {"checkpoint": True, "fix_embeddings": True},
        {"rnn_type": "gru", "question_merge": "avg", "fix_embeddings": False},
        {"optimizer": "sgd", "momentum": 0.5, "tune_partial": 1, "fix_embeddings": False, "grad_clipping": 0.1},
    ]
    made = []
    for net, kind in zip(nets, kinds):
        args = arguments(**kind)
        model = reader(args, loaded)
        model.network = net
        made.append((args, model))
    return loaded, made


def loader_of(args, loaded, model, single_answer):
    dataset = data.ReaderDataset(loaded, model, single_answer=single_answer)
    sampler = data.SortedBatchSampler(dataset.lengths(), args.batch_size, shuffle=False)
    return torch.utils.data.DataLoader(
        dataset, batch_size=args.batch_size, sampler=sampler, num_workers=args.data_workers,
        collate_fn=vector.batchify, pin_memory=args.cuda,
    )  # fmt: skip


def scores(net, batch):
    net.eval()
    return torch.cat(net(*batch[:5]), dim=1)


def spans(model, batch, top_n):
    starts, ends, values = model.predict(batch, top_n=top_n)
    return np.concatenate([np.concatenate([s, e, v]) for s, e, v in zip(starts, ends, values)])


def forward(*nets):
    loaded, made = readers(nets)
    (args, model), (_, gru), (_, partial) = made
    batch = next(iter(loader_of(args, loaded, model, True)))
    return {
        "lstm": lambda: scores(model.network, batch),
        "gru": lambda: scores(gru.network, batch),
        "partial": lambda: scores(partial.network, batch),
        "features": lambda: batch[1],
        "masks": lambda: torch.cat([batch[2].float(), batch[4].float()], 1),
        "targets": lambda: torch.stack([batch[5], batch[6]]),
        "best_span": lambda: spans(model, batch, 1),
        "best_spans": lambda: spans(model, batch, 3),
    }


def embeddings(model, args, loaded):
    model.load_embeddings(model.word_dict.tokens(), "vectors.txt")
    if args.tune_partial:
        top = utils.top_question_words(args, loaded, model.word_dict)
        model.tune_embeddings([word for word, _ in sorted(top)])


def train(*nets):
    loaded, made = readers(nets)
    results = {}
    for name, (args, model) in zip(("adamax", "gru", "sgd"), made):
        embeddings(model, args, loaded)
        results[name + "_embedding"] = model.network.embedding.weight.clone()
        model.init_optimizer()
        train_loader = loader_of(args, loaded, model, True)
        dev_loader = loader_of(args, loaded, model, False)
        stats = {"timer": utils.Timer(), "epoch": 0, "best_valid": 0}
        for epoch in range(2):
            stats["epoch"] = epoch
            np.random.seed(epoch)
            reader_training.train(args, train_loader, model, stats)
            exact = reader_training.validate_unofficial(args, dev_loader, model, stats, mode="dev")
        np.random.seed(7)
        results[name + "_exact"] = float(exact["exact_match"])
        results[name + "_loss"] = [model.update(batch)[0] for batch in train_loader]
        results[name + "_tuned"] = model.network.embedding.weight
        # Adamax takes steps of one size, in a direction that rounding decides where a gradient is next to nothing.
        results[name + "_scores"] = scores(model.network, next(iter(dev_loader)))
        model.save("model")
        again = DocReader.load("model", args)
        results[name + "_loaded"] = again.network.doc_rnn.rnns[1].weight_hh_l0_reverse
        if args.checkpoint:
            going_on, epoch = DocReader.load_checkpoint("model.checkpoint")
            added = going_on.expand_dictionary(["new", WORDS[0]])
            results["epoch"] = epoch
            results["added"] = len(added)
            results["expanded"] = going_on.network.embedding.weight[:-2]
    return results
