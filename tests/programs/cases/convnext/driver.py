import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset

import utils
from engine import train_one_epoch
from main import get_args_parser
from models.convnext import ConvNeXt
from optim_factory import create_optimizer

NUM_CLASSES = 10

args = get_args_parser().parse_args(
    ["--batch_size", "4", "--epochs", "2", "--warmup_epochs", "1", "--update_freq", "1",
     "--opt_betas", "0.9", "0.999", "--lr", "1e-3", "--mixup", "0", "--cutmix", "0", "--smoothing", "0"]
)


def build():
    return ConvNeXt(
        num_classes=NUM_CLASSES,
        depths=[1, 1, 2, 1],
        dims=[8, 16, 32, 64],
        drop_path_rate=args.drop_path,
        layer_scale_init_value=args.layer_scale_init_value,
        head_init_scale=args.head_init_scale,
    )


def images(seed, size):
    return torch.from_numpy(np.random.RandomState(seed).randn(size, 3, 64, 64).astype("float32"))


def forward(model):
    model.eval()
    with torch.no_grad():
        x = images(0, 4)
        return {"features": model.forward_features(x), "logits": model(x)}


def train(model):
    targets = torch.from_numpy(np.random.RandomState(1).randint(0, NUM_CLASSES, 16).astype("int64"))
    dataset = TensorDataset(images(2, 16), targets)
    data_loader = DataLoader(dataset, batch_size=args.batch_size, shuffle=False, drop_last=True)
    steps_per_epoch = len(dataset) // args.batch_size

    optimizer = create_optimizer(args, model, skip_list=None, get_num_layer=None, get_layer_scale=None)
    lr_schedule = utils.cosine_scheduler(
        args.lr, args.min_lr, args.epochs, steps_per_epoch, warmup_epochs=args.warmup_epochs
    )
    wd_schedule = utils.cosine_scheduler(args.weight_decay, args.weight_decay, args.epochs, steps_per_epoch)
    stats = train_one_epoch(
        model, torch.nn.CrossEntropyLoss(), data_loader, optimizer, torch.device("cpu"), 0, None,
        start_steps=0, lr_schedule_values=lr_schedule, wd_schedule_values=wd_schedule,
        num_training_steps_per_epoch=steps_per_epoch, update_freq=args.update_freq, use_amp=args.use_amp,
    )
    result = {name: value for name, value in stats.items()}
    result["head"] = model.head.weight
    result["gamma"] = model.stages[2][1].gamma
    return result
