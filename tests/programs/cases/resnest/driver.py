import numpy as np
import torch
from resnest.torch.config import get_cfg
from resnest.torch.loss import NLLMultiLabelSmooth, get_criterion
from resnest.torch.models.build import RESNEST_MODELS_REGISTRY, get_model
from resnest.torch.models.resnet import Bottleneck, ResNet
from resnest.torch.utils import AverageMeter, LR_Scheduler, accuracy, save_checkpoint

CLASSES, SIZE, BATCH = 10, 64, 8


@RESNEST_MODELS_REGISTRY.register()
def resnest_small(**kwargs):
    """As resnest50, with one block to a stage, and narrow ones."""
    return ResNet(
        Bottleneck,
        [1, 1, 1, 1],
        radix=2,
        groups=2,
        bottleneck_width=16,
        num_classes=CLASSES,
        deep_stem=True,
        stem_width=8,
        avg_down=True,
        avd=True,
        avd_first=False,
        **kwargs,
    )


def config():
    cfg = get_cfg()
    cfg.MODEL.NAME = "resnest_small"
    cfg.DATA.LABEL_SMOOTHING = 0.1
    cfg.TRAINING.EPOCHS = 3
    cfg.TRAINING.LAST_GAMMA = True
    cfg.OPTIMIZER.DISABLE_BN_WD = True
    cfg.OPTIMIZER.WARMUP_EPOCHS = 1
    cfg.OPTIMIZER.LR = 0.005
    return cfg


def build():
    cfg = config()
    return get_model(cfg.MODEL.NAME)(last_gamma=cfg.TRAINING.LAST_GAMMA)


def batch(seed):
    random = np.random.RandomState(seed)
    images = torch.from_numpy(random.randn(BATCH, 3, SIZE, SIZE).astype("float32"))
    return images, torch.from_numpy(random.randint(0, CLASSES, BATCH))


def mixed(seed):
    """Targets as MixUpWrapper gives them, which itself wants a GPU."""
    images, target = batch(seed)
    target = torch.nn.functional.one_hot(target, CLASSES)
    return images, 0.3 * target + 0.7 * target[torch.tensor([2, 0, 3, 1, 7, 6, 4, 5]), :]


def forward(net):
    net.eval()
    images, target = batch(0)
    logits = net(images)
    loader = [batch(1)]
    return {
        "logits": logits,
        "stem": net.conv1(images),
        "split": lambda: net.layer2[0].conv2.eval()(torch.ones(2, 64, 9, 9) * 0.5),
        "smoothed": lambda: get_criterion(config(), loader, 0)[0](logits, target),
        "mixed": lambda: NLLMultiLabelSmooth(0.1)(logits, mixed(2)[1]),
        "accuracy": lambda: accuracy(logits, target, topk=(1, 5)),
    }


def train(model):
    """The steps of scripts/torch/train.py, which itself wants several GPUs."""
    cfg = config()
    train_loader = [batch(1), batch(2)]
    criterion, train_loader = get_criterion(cfg, train_loader, 0)
    param_dict = {}
    for k, v in model.named_parameters():
        param_dict[k] = v
    bn_params = [v for n, v in param_dict.items() if ("bn" in n or "bias" in n)]
    rest_params = [v for n, v in param_dict.items() if not ("bn" in n or "bias" in n)]
    optimizer = torch.optim.SGD(
        [{"params": bn_params, "weight_decay": 0}, {"params": rest_params, "weight_decay": cfg.OPTIMIZER.WEIGHT_DECAY}],
        lr=cfg.OPTIMIZER.LR,
        momentum=cfg.OPTIMIZER.MOMENTUM,
        weight_decay=cfg.OPTIMIZER.WEIGHT_DECAY,
    )
    scheduler = LR_Scheduler(
        cfg.OPTIMIZER.LR_SCHEDULER,
        base_lr=cfg.OPTIMIZER.LR,
        num_epochs=cfg.TRAINING.EPOCHS,
        iters_per_epoch=len(train_loader),
        warmup_epochs=cfg.OPTIMIZER.WARMUP_EPOCHS,
    )
    history, rates, best_pred = [], [], 0.0
    for epoch in range(2):
        model.train()
        losses = AverageMeter()
        top1 = AverageMeter()
        for batch_idx, (data, target) in enumerate(train_loader):
            scheduler(optimizer, batch_idx, epoch, best_pred)
            optimizer.zero_grad()
            output = model(data)
            loss = criterion(output, target)
            loss.backward()
            optimizer.step()
            acc1 = accuracy(output, target, topk=(1,))
            top1.update(acc1[0], data.size(0))
            losses.update(loss.item(), data.size(0))
            rates.append(optimizer.param_groups[0]["lr"])
        history += [losses.avg, float(top1.avg)]
    save_checkpoint(
        {"epoch": 2, "state_dict": model.state_dict(), "optimizer": optimizer.state_dict(), "best_pred": best_pred},
        directory="output",
        is_best=True,
    )
    kept = torch.load("output/model_best.pth")
    return {
        "history": history,
        "rates": rates,
        "groups": [len(bn_params), len(rest_params)],
        "stem": model.conv1[0].weight,
        "attention": model.layer3[0].conv2.fc1.weight,
        "gamma": model.layer2[0].bn3.weight,
        "mean": model.layer1[0].conv2.bn0.running_mean,
        "kept": kept["state_dict"]["fc.weight"],
    }
