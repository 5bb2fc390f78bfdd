import os
import sys

import numpy as np
import torch
import torch.nn as nn

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "src"))

from pytorch_metric_learning import distances, losses, miners, reducers, regularizers, samplers, trainers
from pytorch_metric_learning.utils import common_functions as c_f
from pytorch_metric_learning.utils import loss_and_miner_utils as lmu

CLASSES, SIZE = 4, 8


class Learner(nn.Module):
    """A trunk, an embedder, a classifier and the losses that have weights of their own."""

    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(12, 16), nn.BatchNorm1d(16), nn.ReLU())
        self.embedder = nn.Linear(16, SIZE)
        self.classifier = nn.Linear(SIZE, CLASSES)
        self.with_weights = nn.ModuleDict(
            {
                "arcface": losses.ArcFaceLoss(CLASSES, SIZE),
                "cosface": losses.CosFaceLoss(CLASSES, SIZE),
                "sphereface": losses.SphereFaceLoss(num_classes=CLASSES, embedding_size=SIZE),
                "large_margin": losses.LargeMarginSoftmaxLoss(CLASSES, SIZE),
                "subcenter": losses.SubCenterArcFaceLoss(num_classes=CLASSES, embedding_size=SIZE),
                "normalized_softmax": losses.NormalizedSoftmaxLoss(
                    CLASSES, SIZE, weight_regularizer=regularizers.RegularFaceRegularizer()
                ),
                "proxy_anchor": losses.ProxyAnchorLoss(CLASSES, SIZE),
                "proxy_nca": losses.ProxyNCALoss(CLASSES, SIZE),
                "soft_triple": losses.SoftTripleLoss(CLASSES, SIZE, centers_per_class=3),
            }
        )


def build():
    return Learner()


def init():
    torch.manual_seed(1)
    return {"proxies": losses.ProxyAnchorLoss(20, 30).proxies, "arcface": losses.ArcFaceLoss(20, 30).W}


def data(seed, count=16):
    rng = np.random.RandomState(seed)
    labels = np.arange(count) % CLASSES
    inputs = rng.randn(CLASSES, 12)[labels] + 0.7 * rng.randn(count, 12)
    return torch.from_numpy(inputs.astype("float32")), torch.from_numpy(labels)


WITHOUT_WEIGHTS = {
    "angular": losses.AngularLoss(),
    "circle": losses.CircleLoss(),
    "contrastive": losses.ContrastiveLoss(),
    "contrastive_cosine": losses.ContrastiveLoss(pos_margin=1, neg_margin=0, distance=distances.CosineSimilarity()),
    "fast_ap": losses.FastAPLoss(num_bins=5),
    "generalized_lifted": losses.GeneralizedLiftedStructureLoss(),
    "histogram": losses.HistogramLoss(n_bins=10),
    "intra_pair": losses.IntraPairVarianceLoss(),
    "lifted": losses.LiftedStructureLoss(),
    "margin": losses.MarginLoss(),
    "multi_similarity": losses.MultiSimilarityLoss(),
    "n_pairs": losses.NPairsLoss(embedding_regularizer=regularizers.LpRegularizer()),
    "nca": losses.NCALoss(),
    "nt_xent": losses.NTXentLoss(),
    "pnp": losses.PNPLoss(),
    "ranked_list": losses.RankedListLoss(margin=0.4, Tn=0),
    "snr": losses.SignalToNoiseRatioContrastiveLoss(),
    "sup_con": losses.SupConLoss(reducer=reducers.ThresholdReducer(low=0)),
    "triplet": losses.TripletMarginLoss(
        distance=distances.LpDistance(power=2), reducer=reducers.AvgNonZeroReducer(), swap=True
    ),
    "triplet_class": losses.TripletMarginLoss(
        smooth_loss=True, reducer=reducers.ClassWeightedReducer(torch.tensor([1.0, 2.0, 3.0, 4.0]))
    ),
    "tuplet": losses.TupletMarginLoss(),
    "multiple": losses.MultipleLosses([losses.TripletMarginLoss(), losses.ContrastiveLoss()], weights=[1, 0.5]),
    "memory": losses.CrossBatchMemory(losses.NTXentLoss(), SIZE, memory_size=32),
}
MINERS = {
    "batch_hard": miners.BatchHardMiner(),
    "easy_hard": miners.BatchEasyHardMiner(pos_strategy="semihard", neg_strategy="hard"),
    "multi_similarity": miners.MultiSimilarityMiner(epsilon=0.1),
    "pair_margin": miners.PairMarginMiner(pos_margin=0.2, neg_margin=0.8),
    "triplet_margin": miners.TripletMarginMiner(margin=0.2, type_of_triplets="semihard"),
    "angular": miners.AngularMiner(angle=20),
}


def forward(learner):
    learner.eval()
    inputs, labels = data(0)
    embeddings = learner.embedder(learner.trunk(inputs))
    outputs = {"embeddings": embeddings}
    for name, loss in WITHOUT_WEIGHTS.items():
        outputs[name] = lambda loss=loss: loss(embeddings, labels)
    for name, loss in learner.with_weights.items():
        outputs["with_" + name] = lambda loss=loss: loss(embeddings, labels)
    for name, miner in MINERS.items():
        outputs["mined_" + name] = lambda miner=miner: [
            *miner(embeddings, labels),
            losses.TripletMarginLoss()(embeddings, labels, miner(embeddings, labels)),
        ]
    outputs["pairs"] = lambda: list(lmu.get_all_pairs_indices(labels))
    outputs["triplets"] = lambda: list(lmu.get_all_triplets_indices(labels))
    outputs["vicreg"] = lambda: losses.VICRegLoss()(embeddings, ref_emb=embeddings * 1.1 + 0.1)
    outputs["self_supervised"] = lambda: losses.SelfSupervisedLoss(losses.NTXentLoss())(embeddings, embeddings + 0.1)
    return outputs


class Points(torch.utils.data.Dataset):
    def __init__(self):
        self.data, self.labels = data(3, 32)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        return self.data[index], self.labels[index]


def train(learner):
    dataset = Points()
    results = {}
    models = {"trunk": learner.trunk, "embedder": learner.embedder, "classifier": learner.classifier}
    optimizers = {
        "trunk_optimizer": torch.optim.Adam(learner.trunk.parameters(), lr=1e-2, weight_decay=1e-4),
        "embedder_optimizer": torch.optim.SGD(learner.embedder.parameters(), lr=1e-2, momentum=0.9),
        "classifier_optimizer": torch.optim.RMSprop(learner.classifier.parameters(), lr=1e-3),
        "metric_loss_optimizer": torch.optim.Adam(learner.with_weights.parameters(), lr=1e-2),
    }
    schedulers = {
        "trunk_scheduler_by_epoch": torch.optim.lr_scheduler.StepLR(optimizers["trunk_optimizer"], 1, gamma=0.5)
    }
    history = []

    def remember(trainer):
        history.append(trainer.losses["total_loss"].item())

    for name, metric_loss, miner in (
        ("arcface", learner.with_weights["arcface"], None),
        ("proxy_anchor", learner.with_weights["proxy_anchor"], None),
        ("triplet", losses.TripletMarginLoss(), miners.MultiSimilarityMiner()),
    ):
        trainer = trainers.TrainWithClassifier(
            models=models,
            optimizers=optimizers,
            batch_size=16,
            loss_funcs={"metric_loss": metric_loss, "classifier_loss": nn.CrossEntropyLoss()},
            mining_funcs={"tuple_miner": miner} if miner else {},
            dataset=dataset,
            sampler=list(range(32)),
            dataloader_num_workers=0,
            loss_weights={"metric_loss": 1, "classifier_loss": 0.5},
            lr_schedulers=schedulers,
            end_of_iteration_hook=remember,
        )
        trainer.train(num_epochs=1)
        results[name] = len(history)
    chosen = samplers.MPerClassSampler(dataset.labels, m=2, batch_size=8, length_before_new_iter=16)
    return {
        **results,
        "losses": history,
        "sampled": len(list(iter(chosen))),
        "lr": optimizers["trunk_optimizer"].param_groups[0]["lr"],
        "trunk": learner.trunk[0].weight,
        "proxies": learner.with_weights["proxy_anchor"].proxies,
        "small": c_f.small_val(torch.float32),
    }
