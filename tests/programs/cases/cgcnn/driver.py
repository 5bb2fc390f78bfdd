import sys

import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim
from torch.optim.lr_scheduler import MultiStepLR
from torch.utils.data import Dataset

sys.argv = ["main.py", "made", "--disable-cuda", "--print-freq", "1"]

import main as program
from cgcnn.data import GaussianDistance, collate_pool, get_train_val_test_loader
from cgcnn.model import CrystalGraphConvNet


class Crystals(Dataset):
    """What CIFData gives for each crystal, of made-up crystals."""

    def __init__(self, number, classes=0):
        self.number, self.classes = number, classes
        self.gdf = GaussianDistance(dmin=0, dmax=8, step=0.5)

    def __len__(self):
        return self.number

    def __getitem__(self, idx):
        rng = np.random.RandomState(idx)
        atoms = rng.randint(2, 6)
        atom_fea = torch.Tensor(rng.rand(atoms, 10))
        nbr_fea = torch.Tensor(self.gdf.expand(rng.rand(atoms, 4) * 8))
        nbr_fea_idx = torch.LongTensor(rng.randint(0, atoms, (atoms, 4)))
        target = float(rng.randint(0, 2)) if self.classes else rng.randn()
        return (atom_fea, nbr_fea, nbr_fea_idx), torch.Tensor([target]), "crystal-%d" % idx


def build():
    torch.manual_seed(0)
    width = Crystals(1)[0][0][1].shape[-1]
    values = CrystalGraphConvNet(10, width, atom_fea_len=16, n_conv=2, h_fea_len=16, n_h=2)
    classes = CrystalGraphConvNet(10, width, atom_fea_len=16, n_conv=1, h_fea_len=16, classification=True)
    return values, classes


def init():
    torch.manual_seed(1)
    net = CrystalGraphConvNet(92, 41, atom_fea_len=64, n_conv=1)
    return {"full": net.convs[0].fc_full.weight, "norm": net.convs[0].bn1.weight}


def forward(values, classes):
    input, target, ids = collate_pool([Crystals(4)[i] for i in range(4)])
    values.eval()
    classes.eval()
    normalizer = program.Normalizer(target)
    log_probabilities = classes(*input)
    accuracy, precision, recall, fscore, auc = program.class_eval(
        log_probabilities.data.cpu(), torch.tensor([[0.0], [1.0], [1.0], [0.0]])
    )
    return {
        "values": values(*input),
        "classes": log_probabilities,
        "normed": normalizer.norm(target),
        "denormed": normalizer.denorm(target),
        "mae": torch.tensor(float(program.mae(target, target * 2))),
        "scores": torch.tensor([accuracy, precision, recall, fscore, auc]),
        "pooled": values.pooling(torch.ones(sum(map(len, input[3])), 3), input[3]),
    }


def train(values, classes):
    result = {}
    for task, model, criterion in (("regression", values, nn.MSELoss()), ("classification", classes, nn.NLLLoss())):
        program.args.task = task
        dataset = Crystals(20, classes=task == "classification")
        loader, val_loader, test_loader = get_train_val_test_loader(
            dataset=dataset, collate_fn=collate_pool, batch_size=20, train_ratio=None, num_workers=0, val_ratio=0.1,
            test_ratio=0.1, train_size=None, val_size=None, test_size=None, return_test=True,
        )  # fmt: skip
        if task == "classification":
            model.dropout.p = 0.0
            normalizer = program.Normalizer(torch.zeros(2))
            normalizer.load_state_dict({"mean": 0.0, "std": 1.0})
            optimizer = optim.Adam(model.parameters(), 0.01)
        else:
            _, sample_target, _ = collate_pool([dataset[i] for i in range(len(dataset))])
            normalizer = program.Normalizer(sample_target)
            optimizer = optim.SGD(model.parameters(), 0.01, momentum=0.9, weight_decay=0)
        scheduler = MultiStepLR(optimizer, milestones=[1], gamma=0.1)
        for epoch in range(3):
            program.train(loader, model, criterion, optimizer, epoch, normalizer)
            scheduler.step()
        if task == "regression":
            result["error"] = float(program.validate(val_loader, model, criterion, normalizer))
        result[task] = model.fc_out.weight
        result[task + "_conv"] = model.convs[0].fc_full.weight
        result[task + "_mean"] = model.convs[0].bn1.running_mean
        result[task + "_lr"] = torch.tensor(optimizer.param_groups[0]["lr"])
    return result
