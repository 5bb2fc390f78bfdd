import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

import main
import util.misc as utils
from engine import train_one_epoch
from models import build_model

args = main.get_args_parser().parse_args(
    "--device cpu --backbone resnet50 --enc_layers 1 --dec_layers 2 --dim_feedforward 64 --hidden_dim 128 "
    "--dropout 0 --nheads 8 --num_queries 6 --masks --lr_drop 1".split()
)


class Boxes(Dataset):
    """Images of two sizes with boxes, labels and masks."""

    def __init__(self, seed, length=4):
        self.seed, self.length = seed, length

    def __len__(self):
        return self.length

    def __getitem__(self, index):
        rng = np.random.RandomState(100 * self.seed + index)
        height, width = (64, 64) if index % 2 else (56, 64)
        count = 1 + index % 3
        centres, sizes = rng.uniform(0.3, 0.7, (count, 2)), rng.uniform(0.2, 0.5, (count, 2))
        masks = rng.rand(count, height, width) > 0.5
        target = {
            "boxes": torch.as_tensor(np.concatenate([centres, sizes], 1), dtype=torch.float32),
            "labels": torch.from_numpy(rng.randint(1, 90, count)),
            "masks": torch.from_numpy(masks),
            "image_id": torch.tensor([index]),
            "orig_size": torch.as_tensor([2 * height, 2 * width]),
            "size": torch.as_tensor([height, width]),
        }
        return torch.from_numpy(rng.randn(3, height, width).astype("float32")), target


def batches(seed):
    return DataLoader(Boxes(seed), batch_size=2, collate_fn=utils.collate_fn)


def build():
    return build_model(args)[0]


def init():
    torch.manual_seed(1)
    model = build_model(args)[0]
    return {
        "self_attn": model.detr.transformer.encoder.layers[0].self_attn.in_proj_weight,
        "query_embed": model.detr.query_embed.weight,
        "mask_head": model.mask_head.lay1.weight,
    }


def forward(model):
    model.eval()
    _, criterion, postprocessors = build_model(args)
    samples, targets = next(iter(batches(0)))
    outputs = model(samples)

    def losses():
        computed = criterion(outputs, targets)
        return [computed[name] for name in sorted(computed)]

    def detections():
        sizes = torch.stack([t["orig_size"] for t in targets], dim=0)
        results = postprocessors["bbox"](outputs, sizes)
        results = postprocessors["segm"](results, outputs, sizes, torch.stack([t["size"] for t in targets], dim=0))
        return [results[0]["scores"], results[0]["boxes"], results[1]["masks"].float().mean((1, 2, 3))]

    return {
        "logits": outputs["pred_logits"],
        "boxes": outputs["pred_boxes"],
        "masks": outputs["pred_masks"],
        "first_layer": outputs["aux_outputs"][0]["pred_boxes"],
        "losses": losses,
        "detections": detections,
        "matched": lambda: [index for pair in criterion.matcher(outputs, targets) for index in pair],
    }


def train(model):
    criterion = build_model(args)[1]
    param_dicts = [
        {"params": [p for n, p in model.named_parameters() if "backbone" not in n and p.requires_grad]},
        {
            "params": [p for n, p in model.named_parameters() if "backbone" in n and p.requires_grad],
            "lr": args.lr_backbone,
        },
    ]
    optimizer = torch.optim.AdamW(param_dicts, lr=args.lr, weight_decay=args.weight_decay)
    lr_scheduler = torch.optim.lr_scheduler.StepLR(optimizer, args.lr_drop)
    stats = []
    for epoch in range(2):
        stats.append(
            train_one_epoch(
                model, criterion, batches(epoch), optimizer, torch.device("cpu"), epoch, args.clip_max_norm
            )
        )
        lr_scheduler.step()
    return {
        **{key: [entry[key] for entry in stats] for key in ("loss", "loss_ce", "loss_giou_0", "loss_mask", "loss_dice", "lr")},
        "class_embed": model.detr.class_embed.weight,
        "layer4": model.detr.backbone[0].body.layer4[0].conv1.weight,
    }
