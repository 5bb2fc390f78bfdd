import numpy as np
import torch
from timm.loss import LabelSmoothingCrossEntropy
from timm.optim import create_optimizer
from timm.scheduler import create_scheduler
from timm.utils import ModelEma

from main import parser, train_epoch, validate
from models.t2t_vit import T2T_ViT

CLASSES = 10
SMALL = {
    "img_size": 32,
    "num_classes": CLASSES,
    "embed_dim": 16,
    "depth": 2,
    "num_heads": 2,
    "mlp_ratio": 2.0,
}


def pictures(seed, size=4):
    return torch.from_numpy(np.random.RandomState(seed).randn(size, 3, 32, 32).astype("float32"))


def batches(number):
    rng = np.random.RandomState(3)
    return [(pictures(seed), torch.from_numpy(rng.randint(0, CLASSES, 4))) for seed in range(number)]


def build():
    return (
        T2T_ViT(**SMALL, tokens_type="performer", token_dim=8),
        T2T_ViT(**SMALL, tokens_type="transformer", token_dim=8),
    )


def forward(*nets):
    outputs = {}
    for name, net in zip(("performer", "transformer"), nets):
        net.eval()
        outputs[name] = lambda net=net: net(pictures(7))
    return outputs


def trained(net, *more):
    args = parser.parse_args(["data", "--batch-size", "4", "--lr", "1e-3", "--epochs", "8", *more])
    args.prefetcher, args.distributed, args.local_rank, args.world_size = False, False, 0, 1
    for module in net.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0
    optimizer = create_optimizer(args, net)
    scheduler, _ = create_scheduler(args, optimizer)
    ema = ModelEma(net, decay=0.9)
    losses = []
    for epoch in range(10, 12):
        scheduler.step(epoch)
        metrics = train_epoch(
            epoch, net, batches(3), optimizer, LabelSmoothingCrossEntropy(0.1), args, lr_scheduler=scheduler,
            model_ema=ema,
        )  # fmt: skip
        losses.append(metrics["loss"])
    scores = validate(net, batches(2), torch.nn.CrossEntropyLoss(), args)
    return {
        "losses": losses,
        "scores": list(scores.values()),
        "head": net.head.weight,
        "project": net.tokens_to_token.project.weight,
        "kept": net.pos_embed,
        "ema": ema.ema.head.weight,
    }


def train(performer, transformer):
    return {
        "performer": lambda: list(trained(performer, "--clip-grad", "1").values()),
        "transformer": lambda: list(
            trained(transformer, "--opt", "momentum", "--weight-decay", "1e-4").values()
        ),
    }
