import numpy as np
import torch
import torch.optim as optim
from torch.optim import lr_scheduler
from torch.utils.data import DataLoader, TensorDataset
from torchvision import transforms

from datasets import BalancedBatchSampler, SiameseMNIST, TripletMNIST
from losses import ContrastiveLoss, OnlineContrastiveLoss, OnlineTripletLoss, TripletLoss
from metrics import AccumulatedAccuracyMetric, AverageNonzeroTripletsMetric
from networks import ClassificationNet, EmbeddingNet, EmbeddingNetL2, SiameseNet, TripletNet
from trainer import fit, train_epoch
from utils import (
    AllPositivePairSelector,
    AllTripletSelector,
    HardestNegativeTripletSelector,
    HardNegativePairSelector,
    SemihardNegativeTripletSelector,
)


class Digits:
    """What of torchvision's MNIST the data sets look at."""

    def __init__(self, train, count):
        random = np.random.RandomState(0 if train else 1)
        self.train = train
        self.transform = transforms.Compose(
            [transforms.ToTensor(), transforms.Normalize((0.1307,), (0.3081,))]
        )
        data = torch.from_numpy(random.randint(0, 256, (count, 28, 28)).astype("uint8"))
        labels = torch.from_numpy(np.arange(count) % 4)
        if train:
            self.train_data, self.train_labels = data, labels
        else:
            self.test_data, self.test_labels = data, labels

    def __len__(self):
        return len(self.train_data if self.train else self.test_data)


def build():
    return ClassificationNet(EmbeddingNet(), 4), EmbeddingNetL2()


def images(count=8):
    random = np.random.RandomState(3)
    return torch.from_numpy(random.standard_normal((count, 1, 28, 28)).astype("float32"))


def forward(classifier, normed):
    classifier.eval()
    x = images()
    labels = torch.arange(8) % 4
    embeddings = classifier.embedding_net(x)
    pairs, negatives = AllPositivePairSelector(balance=False).get_pairs(embeddings, labels)
    hard = HardestNegativeTripletSelector(1.0).get_triplets(embeddings, labels)
    return {
        "scores": classifier(x),
        "embedding": classifier.get_embedding(x),
        "normed": normed(x),
        "pairs": pairs.float(),
        "negatives": negatives.float(),
        "triplets": AllTripletSelector().get_triplets(embeddings, labels).float(),
        "hard": hard.float(),
    }


def loaded():
    random = np.random.RandomState(5)
    labels = torch.from_numpy(np.arange(40) % 4)
    data = torch.from_numpy(random.standard_normal((40, 1, 28, 28)).astype("float32"))
    return DataLoader(
        TensorDataset(data, labels), batch_sampler=BalancedBatchSampler(labels, n_classes=3, n_samples=4)
    )


def train(classifier, normed):
    embedding = classifier.embedding_net
    np.random.seed(7)
    losses = []
    plain = DataLoader(TensorDataset(images(16), torch.arange(16) % 4), batch_size=8)
    optimizer = optim.Adam(classifier.parameters(), lr=1e-3)
    scheduler = lr_scheduler.StepLR(optimizer, 1, gamma=0.5, last_epoch=-1)
    accuracy = AccumulatedAccuracyMetric()
    fit(
        plain,
        plain,
        classifier,
        torch.nn.NLLLoss(),
        optimizer,
        scheduler,
        2,
        False,
        10,
        metrics=[accuracy],
    )
    losses.append(accuracy.value())

    siamese = DataLoader(SiameseMNIST(Digits(True, 8)), batch_size=4, shuffle=False)
    tested = DataLoader(SiameseMNIST(Digits(False, 8)), batch_size=4, shuffle=False)
    net = SiameseNet(embedding)
    optimizer = optim.Adam(net.parameters(), lr=1e-4)
    scheduler = lr_scheduler.StepLR(optimizer, 8, gamma=0.1, last_epoch=-1)
    fit(siamese, tested, net, ContrastiveLoss(1.0), optimizer, scheduler, 1, False, 10)

    triplets = DataLoader(TripletMNIST(Digits(True, 8)), batch_size=4, shuffle=False)
    net = TripletNet(embedding)
    optimizer = optim.Adam(net.parameters(), lr=1e-4)
    loss, _ = train_epoch(triplets, net, TripletLoss(1.0), optimizer, False, 10, [])
    losses.append(loss)

    optimizer = optim.Adam(embedding.parameters(), lr=1e-4, weight_decay=1e-4)
    for loss_fn, metrics in (
        (OnlineContrastiveLoss(1.0, HardNegativePairSelector()), []),
        (OnlineTripletLoss(1.0, AllTripletSelector()), [AverageNonzeroTripletsMetric()]),
        (OnlineTripletLoss(1.0, HardestNegativeTripletSelector(1.0)), [AverageNonzeroTripletsMetric()]),
    ):
        loss, metrics = train_epoch(loaded(), embedding, loss_fn, optimizer, False, 50, metrics)
        losses.append(loss)
        losses.extend(metric.value() for metric in metrics)

    # EmbeddingNetL2 divides in place what its own gradient needs: torch refuses to train it.
    with torch.no_grad():
        loss_fn = OnlineTripletLoss(0.5, SemihardNegativeTripletSelector(0.5))
        losses.append(loss_fn(normed(images()), torch.arange(8) % 4)[0].item())
    return {
        "losses": losses,
        "scores": classifier.fc1.weight,
        "embedding": embedding.convnet[0].weight,
    }
