import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

from examples.main import train as train_epoch
from torchfm.model.afi import AutomaticFeatureInteractionModel
from torchfm.model.dfm import DeepFactorizationMachineModel
from torchfm.model.hofm import HighOrderFactorizationMachineModel
from torchfm.model.pnn import ProductNeuralNetworkModel
from torchfm.model.xdfm import ExtremeDeepFactorizationMachineModel

field_dims = np.array([10, 8, 6, 12])


class Clicks(Dataset):
    def __init__(self, seed):
        rng = np.random.RandomState(seed)
        self.fields = rng.randint(0, field_dims, (24, len(field_dims)))
        self.targets = rng.randint(0, 2, 24)

    def __len__(self):
        return len(self.targets)

    def __getitem__(self, index):
        return self.fields[index], self.targets[index]


def build():
    return (
        DeepFactorizationMachineModel(field_dims, embed_dim=8, mlp_dims=(16, 16), dropout=0.0),
        ExtremeDeepFactorizationMachineModel(
            field_dims, embed_dim=8, cross_layer_sizes=(8, 8), split_half=True, mlp_dims=(16,), dropout=0.0
        ),
        AutomaticFeatureInteractionModel(
            field_dims,
            embed_dim=8,
            atten_embed_dim=16,
            num_heads=2,
            num_layers=2,
            mlp_dims=(16,),
            dropouts=(0, 0, 0),
        ),
        HighOrderFactorizationMachineModel(field_dims, order=3, embed_dim=8),
        ProductNeuralNetworkModel(field_dims, embed_dim=8, mlp_dims=(16,), method="outer", dropout=0.0),
    )


NAMES = ("dfm", "xdfm", "afi", "hofm", "opnn")


def init():
    torch.manual_seed(1)
    model = DeepFactorizationMachineModel(np.array([500, 500]), embed_dim=16, mlp_dims=(16,), dropout=0.0)
    return {"embedding": model.embedding.embedding.weight, "linear": model.linear.fc.weight}


def forward(*models):
    fields = torch.from_numpy(Clicks(0).fields)
    outputs = {}
    for name, model in zip(NAMES, models):
        model.eval()
        outputs[name] = lambda model=model: model(fields)
    return outputs


def trained(model):
    criterion = torch.nn.BCELoss()
    optimizer = torch.optim.Adam(params=model.parameters(), lr=0.01, weight_decay=1e-6)
    loader = DataLoader(Clicks(1), batch_size=8, num_workers=0)
    fields, targets = Clicks(2).fields, Clicks(2).targets
    losses = []
    for epoch in range(2):
        train_epoch(model, optimizer, loader, criterion, torch.device("cpu"), log_interval=2)
        with torch.no_grad():
            losses.append(
                criterion(model(torch.from_numpy(fields)), torch.from_numpy(targets).float()).item()
            )
    return losses


def train(*models):
    outputs = {"dfm": trained(models[0]), "weight": models[0].embedding.embedding.weight}
    for name, model in zip(NAMES[1:], models[1:]):
        outputs[name] = lambda model=model: trained(model)
    return outputs
