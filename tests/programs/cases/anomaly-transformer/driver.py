import os

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

from model.AnomalyTransformer import AnomalyTransformer
from solver import Solver

WINDOW, CHANNELS, BATCH = 12, 4, 4


class Windows(Dataset):
    def __init__(self, seed, count):
        rng = np.random.RandomState(seed)
        time = np.arange(WINDOW)[None, :, None]
        self.values = np.sin(time / rng.uniform(1, 4, (count, 1, CHANNELS))) + 0.1 * rng.randn(count, WINDOW, CHANNELS)
        self.labels = (rng.rand(count, WINDOW) > 0.8).astype(np.float32)

    def __len__(self):
        return len(self.values)

    def __getitem__(self, index):
        return np.float32(self.values[index]), self.labels[index]


class MadeUp(Solver):
    """On made-up windows, in their order."""

    def __init__(self, config):
        self.__dict__.update(Solver.DEFAULTS, **config)
        self.train_loader = DataLoader(Windows(1, 12), batch_size=self.batch_size, shuffle=False)
        self.vali_loader = DataLoader(Windows(2, 8), batch_size=self.batch_size, shuffle=False)
        self.test_loader = DataLoader(Windows(3, 8), batch_size=self.batch_size, shuffle=False)
        self.thre_loader = DataLoader(Windows(4, 8), batch_size=self.batch_size, shuffle=False)
        self.build_model()
        self.device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
        self.criterion = torch.nn.MSELoss()

    def build_model(self):
        self.model = AnomalyTransformer(
            win_size=self.win_size, enc_in=self.input_c, c_out=self.output_c, d_model=16, n_heads=4, e_layers=2, d_ff=16,
            dropout=0.0,
        )  # fmt: skip
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=self.lr)
        if torch.cuda.is_available():
            self.model.cuda()


def settings():
    return dict(
        lr=1e-3, num_epochs=2, k=3, win_size=WINDOW, input_c=CHANNELS, output_c=CHANNELS, batch_size=BATCH, dataset="SMD",
        model_save_path="checkpoints", anormly_ratio=4.0,
    )  # fmt: skip


def build():
    return MadeUp(settings()).model


def inputs():
    return torch.from_numpy(Windows(5, 3).values).float()


def forward(net):
    net.eval()

    def association(kind):
        return torch.stack(net(inputs())[kind])

    return {
        "output": lambda: net(inputs())[0],
        "series": lambda: association(1),
        "prior": lambda: association(2),
        "sigma": lambda: association(3),
    }


def trained(net):
    solver = MadeUp(settings())
    solver.model.load_state_dict(net.state_dict())
    solver.train()
    losses = solver.vali(solver.vali_loader)
    saved = torch.load(os.path.join("checkpoints", "SMD_checkpoint.pth"))
    scores = solver.test()
    parameters = dict(solver.model.named_parameters())
    return [
        *losses,
        scores[0],
        saved["projection.bias"],
        parameters["encoder.attn_layers.0.attention.sigma_projection.weight"],
        parameters["encoder.attn_layers.1.attention.query_projection.weight"],
        parameters["embedding.value_embedding.tokenConv.weight"],
    ]


def train(net):
    return {"minimax": lambda: trained(net)}
