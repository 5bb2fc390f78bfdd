import numpy as np
import torch

from spotlight.cross_validation import random_train_test_split
from spotlight.datasets.synthetic import generate_sequential
from spotlight.evaluation import mrr_score, rmse_score, sequence_mrr_score
from spotlight.factorization.explicit import ExplicitFactorizationModel
from spotlight.factorization.implicit import ImplicitFactorizationModel
from spotlight.factorization.representations import BilinearNet
from spotlight.interactions import Interactions
from spotlight.layers import BloomEmbedding, ScaledEmbedding, ScaledEmbeddingBag
from spotlight.losses import adaptive_hinge_loss, bpr_loss, hinge_loss, logistic_loss, poisson_loss
from spotlight.sequence.implicit import ImplicitSequenceModel
from spotlight.sequence.representations import CNNNet, LSTMNet, MixtureLSTMNet, PoolNet

USERS, ITEMS, SIZE = 12, 30, 8


def build():
    return (
        BilinearNet(USERS, ITEMS, SIZE),
        BilinearNet(
            USERS, ITEMS, SIZE, item_embedding_layer=BloomEmbedding(ITEMS, SIZE, compression_ratio=0.4)
        ),
        PoolNet(ITEMS, SIZE),
        LSTMNet(ITEMS, SIZE),
        CNNNet(ITEMS, SIZE, kernel_width=(3, 3), dilation=(1, 2), num_layers=2, nonlinearity="relu"),
        MixtureLSTMNet(ITEMS, SIZE, num_mixtures=3),
        ScaledEmbeddingBag(20, SIZE, mode="sum"),
    )


def init():
    torch.manual_seed(1)
    return {"scaled": ScaledEmbedding(200, 16).weight, "cnn": CNNNet(200, 32).cnn_layers[0].weight}


def sequences(seed):
    batch = np.random.RandomState(seed).randint(1, ITEMS, (3, 6))
    batch[0, :2] = 0
    return torch.from_numpy(batch)


def scored(net):
    steps, final = net.user_representation(sequences(0))
    return torch.cat([net(steps, sequences(1)).flatten(), final.flatten()])


def losses():
    rng = np.random.RandomState(2)
    positive = torch.from_numpy(rng.randn(4, 5).astype("float32"))
    negative = torch.from_numpy(rng.randn(4, 5).astype("float32"))
    several = torch.from_numpy(rng.randn(3, 4, 5).astype("float32"))
    rating = torch.from_numpy(rng.rand(4, 5).astype("float32") + 0.5)
    mask = sequences(3)[:1, :5].expand(4, 5) > 10
    return torch.stack([
        bpr_loss(positive, negative, mask=mask), hinge_loss(positive, negative), hinge_loss(positive, negative, mask),
        adaptive_hinge_loss(positive, several), poisson_loss(rating, rating * 2), logistic_loss(rating - 0.9, positive),
    ])  # fmt: skip


def forward(bilinear, bloom, pool, lstm, cnn, mixture, bag):
    users = torch.from_numpy(np.arange(5))
    items = torch.from_numpy(np.array([3, 0, 7, 29, 3]))
    outputs = {
        "bilinear": lambda: bilinear(users, items),
        "bloom": lambda: bloom(users, items),
        "bag": lambda: bag(torch.tensor([1, 5, 7, 9, 2]), torch.tensor([0, 2])),
        "losses": losses,
    }
    for name, net in (("pool", pool), ("lstm", lstm), ("cnn", cnn), ("mixture", mixture)):
        net.eval()
        outputs[name] = lambda net=net: scored(net)
    return outputs


def ratings():
    rng = np.random.RandomState(4)
    count = 48
    return Interactions(
        rng.randint(0, USERS, count), rng.randint(0, ITEMS, count), ratings=rng.choice([-1, 1], count).astype("float32"),
        num_users=USERS, num_items=ITEMS,
    )  # fmt: skip


def train(bilinear, bloom, pool, lstm, cnn, mixture, bag):
    state = np.random.RandomState
    common = {"n_iter": 2, "batch_size": 16}
    explicit, held = random_train_test_split(ratings(), random_state=state(1))
    result = {}
    for name, net, loss in (("regression", bilinear, "regression"), ("logistic", bloom, "logistic")):
        model = ExplicitFactorizationModel(
            loss=loss, representation=net, random_state=state(2), l2=1e-3, **common
        )
        model.fit(explicit, verbose=True)
        result[name] = model.predict(3, np.arange(ITEMS))
        result[name + "_users"] = net.user_embeddings.weight
        result[name + "_rmse"] = float(rmse_score(model, held))
    for loss in ("pointwise", "bpr", "hinge", "adaptive_hinge"):
        model = ImplicitFactorizationModel(
            loss=loss, representation=bilinear, random_state=state(3), num_negative_samples=3,
            optimizer_func=lambda parameters: torch.optim.Adagrad(parameters, lr=0.05), **common,
        )  # fmt: skip
        model.fit(explicit)
        result[loss] = model.predict(np.array([1, 4]), np.array([2, 9]))
    result["mrr"] = mrr_score(model, held)
    made = generate_sequential(num_users=10, num_items=ITEMS, num_interactions=200, random_state=state(5))
    made = made.to_sequence(max_sequence_length=6, step_size=3)
    nets = (
        ("pool", pool, "bpr"),
        ("lstm", lstm, "pointwise"),
        ("cnn", cnn, "adaptive_hinge"),
        ("mixture", mixture, "hinge"),
    )
    for name, net, loss in nets:
        model = ImplicitSequenceModel(
            loss=loss,
            representation=net,
            random_state=state(6),
            num_negative_samples=2,
            optimizer_func=lambda parameters: torch.optim.SGD(parameters, lr=0.05),
            **common,
        )
        model.fit(made)
        result[name] = model.predict(np.array([3, 4, 7]))
        result[name + "_items"] = net.item_embeddings.weight
        result[name + "_mrr"] = sequence_mrr_score(model, made)
    result["lstm_input"] = lstm.lstm.weight_ih_l0
    result["lstm_hidden"] = lstm.lstm.weight_hh_l0
    result["lstm_bias"] = lstm.lstm.bias_ih_l0 + lstm.lstm.bias_hh_l0
    return result
# After first sight the sequence models came to learn by SGD: with Adam the bias of one item, whose gradients cancel but
# for rounding, moved by 3e-5.
