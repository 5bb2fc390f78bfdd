import argparse
import os

import numpy as np
import torch
import torch.nn as nn

from lib.add_window import Add_Window_Horizon
from lib.dataloader import data_loader, get_dataloader, normalize_dataset, split_data_by_ratio
from lib.metrics import All_Metrics, MAE_torch
from lib.TrainInits import init_lr_scheduler, init_seed, print_model_parameters
from model.AGCRN import AGCRN
from model.BasicTrainer import Trainer

args = argparse.Namespace(
    dataset="PEMSD4", mode="train", device="cpu", debug=False, model="AGCRN", cuda=False, val_ratio=0.2,
    test_ratio=0.2, lag=4, horizon=3, num_nodes=5, tod=False, normalizer="std", column_wise=True, default_graph=True,
    input_dim=1, output_dim=1, embed_dim=4, rnn_units=6, num_layers=2, cheb_k=3, loss_func="mask_mae", seed=10,
    batch_size=8, epochs=3, lr_init=0.003, lr_decay=True, lr_decay_steps=[1, 2], lr_scheduler_rate=0.3,
    early_stop=True, early_stop_patience=15, grad_norm=True, max_grad_norm=5, teacher_forcing=False, real_value=False,
    mae_thresh=None, mape_thresh=0.0, log_dir="./", log_step=1, plot=False,
)  # fmt: skip


def masked_mae_loss(scaler, mask_value):
    """The loss of Run.py, which cannot be imported, for it trains at once."""

    def loss(preds, labels):
        if scaler:
            preds = scaler.inverse_transform(preds)
            labels = scaler.inverse_transform(labels)
        mae = MAE_torch(pred=preds, true=labels, mask_value=mask_value)
        return mae

    return loss


def write_data():
    os.makedirs("../data/PeMSD4", exist_ok=True)
    rng = np.random.RandomState(0)
    data = (
        100
        + 50 * np.sin(np.arange(80)[:, None, None] / 4 + np.arange(5)[None, :, None])
        + 10 * rng.randn(80, 5, 2)
    )
    data[10, 2] = 0.0
    np.savez("../data/PeMSD4/pems04.npz", data=data)


def initialised(config):
    model = AGCRN(config).to(config.device)
    for p in model.parameters():
        if p.dim() > 1:
            nn.init.xavier_uniform_(p)
        else:
            nn.init.uniform_(p)
    return model


def build():
    init_seed(args.seed)
    model = initialised(args)
    print_model_parameters(model, only_num=False)
    return model


def init():
    torch.manual_seed(3)
    model = initialised(
        argparse.Namespace(**{**vars(args), "num_nodes": 40, "embed_dim": 10, "rnn_units": 16})
    )
    return {"embeddings": model.node_embeddings, "pool": model.encoder.dcrnn_cells[1].gate.weights_pool}


def series(seed, length):
    return torch.from_numpy(np.random.RandomState(seed).randn(2, length, 5, 1).astype("float32"))


def measured():
    rng = np.random.RandomState(4)
    pred = torch.from_numpy(rng.rand(6, 3, 5, 1).astype("float32")) * 10
    true = torch.from_numpy(rng.rand(6, 3, 5, 1).astype("float32")) * 10
    true[0, 0, 2] = 0
    return torch.stack(
        [torch.as_tensor(one, dtype=torch.float32) for one in All_Metrics(pred, true, 1.0, 0.0)[:4]]
    )


def scaled(normalizer, column_wise):
    rng = np.random.RandomState(6)
    data, scaler = normalize_dataset(rng.rand(20, 5, 1) * 30, normalizer, column_wise)
    back = scaler.inverse_transform(torch.from_numpy(data.astype("float32")))
    return torch.cat([torch.from_numpy(data.astype("float32")), back])


def windows():
    x, y = Add_Window_Horizon(split_data_by_ratio(np.arange(40.0).reshape(20, 2, 1), 0.2, 0.2)[0], 3, 2)
    batches = list(data_loader(x, y, 4, shuffle=False, drop_last=False))
    return torch.cat([torch.cat([source.flatten(), target.flatten()]) for source, target in batches])


def forward(model):
    model.eval()
    write_data()
    output, hidden = model.encoder(series(1, 4), model.encoder.init_hidden(2), model.node_embeddings)
    return {
        "prediction": model(series(0, 4), None, 0),
        "hidden": torch.cat([output[:, -1], hidden[0]]),
        "metrics": measured,
        "std": lambda: scaled("std", True),
        "max01": lambda: scaled("max01", True),
        "max11": lambda: scaled("max11", False),
        "windows": windows,
    }


def train(model):
    write_data()
    init_seed(args.seed)
    train_loader, val_loader, test_loader, scaler = get_dataloader(
        args, normalizer=args.normalizer, tod=args.tod, dow=False, weather=False, single=False
    )
    # One batch of all, so that no order that is drawn decides.
    data = train_loader.dataset
    train_loader = data_loader(data.tensors[0][:32].numpy(), data.tensors[1][:32].numpy(), 32)
    loss = masked_mae_loss(scaler, mask_value=0.0)
    optimizer = torch.optim.Adam(
        params=model.parameters(), lr=args.lr_init, eps=1.0e-8, weight_decay=0, amsgrad=False
    )
    lr_scheduler = init_lr_scheduler(optimizer, args)
    trainer = Trainer(
        model, loss, optimizer, train_loader, val_loader, test_loader, scaler, args, lr_scheduler=lr_scheduler
    )
    epoch_losses = []
    ended = trainer.val_epoch
    trainer.val_epoch = lambda *arguments: epoch_losses.append(ended(*arguments)) or epoch_losses[-1]
    trainer.train()
    trainer.save_checkpoint()
    lr = optimizer.param_groups[0]["lr"]
    return {
        "val_losses": epoch_losses,
        "lr": float(lr),
        "predicted": np.load("./PEMSD4_pred.npy"),
        "true": np.load("./PEMSD4_true.npy"),
        "embeddings": model.node_embeddings,
        "pool": model.encoder.dcrnn_cells[0].gate.weights_pool,
        "bias": model.encoder.dcrnn_cells[1].update.bias_pool,
        "conv": model.end_conv.weight,
    }
