import os
import sys

import numpy as np
import torch
from torch.utils.data import DataLoader

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "codes"))

import run
from dataloader import BidirectionalOneShotIterator, TestDataset, TrainDataset
from model import KGEModel

ENTITIES, RELATIONS = 12, 3
# As in the best configurations of the repository, with other losses for some.
KINDS = {
    "TransE": "-adv -a 1.0 -g 6.0",
    "DistMult": "-r 0.00001 -g 6.0 --uni_weight",
    "ComplEx": "-de -dr -r 0.00001 -g 6.0 -adv",
    "RotatE": "-de -adv -a 0.5 -g 6.0",
    "pRotatE": "-g 6.0 --uni_weight",
}


def options(kind):
    args = run.parse_args(
        f"--model {kind} {KINDS[kind]} -d 8 -n 4 -b 6 -lr 0.01 -cpu 1 --test_batch_size 5".split()
    )
    args.nentity, args.nrelation = ENTITIES, RELATIONS
    return args


def triples(seed, count):
    rng = np.random.RandomState(seed)
    return [
        (int(h), int(r), int(t))
        for h, r, t in zip(*(rng.randint(0, n, count) for n in (ENTITIES, RELATIONS, ENTITIES)))
    ]


train_triples, test_triples = triples(0, 18), triples(1, 7)
all_true_triples = train_triples + test_triples


def build():
    models = []
    for kind in KINDS:
        args = options(kind)
        models.append(
            KGEModel(
                model_name=args.model,
                nentity=ENTITIES,
                nrelation=RELATIONS,
                hidden_dim=args.hidden_dim,
                gamma=args.gamma,
                double_entity_embedding=args.double_entity_embedding,
                double_relation_embedding=args.double_relation_embedding,
            )
        )
    return tuple(models)


def init():
    torch.manual_seed(1)
    model = KGEModel("RotatE", 200, 50, 16, 6.0, double_entity_embedding=True)
    return {"entity": model.entity_embedding, "relation": model.relation_embedding}


def forward(*models):
    dataset = TestDataset(test_triples, all_true_triples, ENTITIES, RELATIONS, "tail-batch")
    positive, negative, filter_bias, mode = TestDataset.collate_fn([dataset[i] for i in range(4)])
    outputs = {"filter_bias": filter_bias}
    for kind, model in zip(KINDS, models):
        outputs[kind] = lambda model=model: [
            model(positive),
            model((positive, negative), mode),
            model((positive, negative), "head-batch"),
        ]
    return outputs


def train(*models):
    results = {}
    for kind, model in zip(KINDS, models):
        args = options(kind)
        np.random.seed(3)  # the negative samples
        loaders = [
            DataLoader(
                TrainDataset(train_triples, ENTITIES, RELATIONS, args.negative_sample_size, mode),
                batch_size=args.batch_size,
                collate_fn=TrainDataset.collate_fn,
            )
            for mode in ("head-batch", "tail-batch")
        ]
        iterator = BidirectionalOneShotIterator(*loaders)
        optimizer = torch.optim.Adam(
            filter(lambda p: p.requires_grad, model.parameters()), lr=args.learning_rate
        )
        logs = [model.train_step(model, optimizer, iterator, args) for _ in range(4)]
        for name in logs[0]:
            results[f"{kind}_{name}"] = [log[name] for log in logs]
        results[f"{kind}_test"] = list(model.test_step(model, test_triples, all_true_triples, args).values())
        results[f"{kind}_entities"] = model.entity_embedding
    args.save_path = "saved"
    os.makedirs(args.save_path, exist_ok=True)
    run.save_model(models[-1], optimizer, {"step": 4, "current_learning_rate": args.learning_rate}, args)
    checkpoint = torch.load("saved/checkpoint")
    models[-1].load_state_dict(checkpoint["model_state_dict"])
    optimizer.load_state_dict(checkpoint["optimizer_state_dict"])
    results["resumed"] = models[-1].train_step(models[-1], optimizer, iterator, args)["loss"]
    return results
