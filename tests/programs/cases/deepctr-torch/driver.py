import numpy as np
import torch
import torch.nn.functional as F

from deepctr_torch.inputs import DenseFeat, SparseFeat, VarLenSparseFeat, get_feature_names
from deepctr_torch.models import DIN, DeepFM, xDeepFM

columns = [SparseFeat(f"C{i}", vocabulary_size=20, embedding_dim=4) for i in range(4)]
columns += [DenseFeat(f"I{i}", 1) for i in range(3)]

behaviour = [
    SparseFeat("user", 5, embedding_dim=8),
    SparseFeat("item_id", 8, embedding_dim=8),
    DenseFeat("pay_score", 1),
    VarLenSparseFeat(SparseFeat("hist_item_id", 8, embedding_dim=8), 4, length_name="seq_length"),
]


def clicks(seed):
    rng = np.random.RandomState(seed)
    x = {
        name: rng.randint(0, 20, 32) if name[0] == "C" else rng.rand(32)
        for name in get_feature_names(columns)
    }
    return x, rng.randint(0, 2, (32, 1)).astype("float32")


def histories(seed):
    rng = np.random.RandomState(seed)
    length = rng.randint(1, 5, 16)
    items = rng.randint(1, 8, (16, 4)) * (np.arange(4) < length[:, None])
    x = {
        "user": rng.randint(0, 5, 16),
        "item_id": rng.randint(1, 8, 16),
        "pay_score": rng.rand(16),
        "hist_item_id": items,
        "seq_length": length,
    }
    return x, rng.randint(0, 2, (16, 1)).astype("float32")


def build():
    deepfm = DeepFM(columns, columns, dnn_hidden_units=(16, 8), init_std=0.1, l2_reg_dnn=1e-4)
    xdeepfm = xDeepFM(columns, columns, dnn_hidden_units=(16,), cin_layer_size=(8, 6), init_std=0.1)
    din = DIN(behaviour, ["item_id"], dnn_hidden_units=(16,), att_hidden_size=(8, 4), init_std=0.1)
    return deepfm, xdeepfm, din


def forward(deepfm, xdeepfm, din):
    return {
        "deepfm": lambda: deepfm.predict(clicks(0)[0], batch_size=16),
        "xdeepfm": lambda: xdeepfm.predict(clicks(0)[0], batch_size=16),
        "din": lambda: din.predict(histories(0)[0], batch_size=16),
        "regularization": lambda: deepfm.get_regularization_loss(),
    }


def trained(model, data, optimizer):
    model.compile(optimizer, "binary_crossentropy")
    model.stop_training = False  # Keras's callbacks do this
    losses = []
    for epoch in range(3):
        x, y = data(1)
        model.fit(x, y, batch_size=8, epochs=1, verbose=0, shuffle=False)
        losses.append(
            F.binary_cross_entropy(torch.from_numpy(model.predict(x)).float(), torch.from_numpy(y)).item()
        )
    return losses


def train(deepfm, xdeepfm, din):
    return {
        "deepfm": trained(deepfm, clicks, "adagrad"),
        "weight": deepfm.dnn_linear.weight,
        "xdeepfm": lambda: trained(xdeepfm, clicks, "adam"),
        "din": lambda: trained(din, histories, "rmsprop"),
    }
