import csv
import os
import shutil
import sys
from functools import partial

import numpy as np
import torch
from PIL import Image

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import src.deit as deit  # noqa: E402
import src.msn_train as program  # noqa: E402
from src.data_manager import make_transforms  # noqa: E402
from src.losses import distributed_sinkhorn, init_msn_loss  # noqa: E402
from src.sgd import SGD  # noqa: E402
from src.utils import trunc_normal_  # noqa: E402

SIZE, FOCAL, BATCH = 32, 16, 3


def deit_tiny_small(**kwargs):
    return deit.VisionTransformer(
        img_size=[SIZE], patch_size=4, embed_dim=192, depth=2, num_heads=3, mlp_ratio=2, qkv_bias=True,
        norm_layer=partial(torch.nn.LayerNorm, eps=1e-6), **kwargs
    )  # fmt: skip


deit.deit_tiny_small = deit_tiny_small


def encoder_of(use_bn=True):
    return program.init_model(
        torch.device("cpu"), "deit_tiny_small", use_bn=use_bn, hidden_dim=32, output_dim=16, drop_path_rate=0.0
    )


def build():
    stem = deit.VisionTransformer(
        img_size=[SIZE], embed_dim=24, depth=1, num_heads=3, mlp_ratio=2, num_classes=5, conv_stem=True,
        conv_stem_channels=[8, 12, 24], conv_stem_strides=[2, 2, 1],
    )  # fmt: skip
    return encoder_of(), stem


def numbers(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def views(seed):
    return [numbers(seed + i, BATCH, 3, SIZE, SIZE) for i in range(2)] + [numbers(seed + 5, BATCH, 3, FOCAL, FOCAL)]


def joined(outputs):
    return torch.cat([one.reshape(-1) for one in outputs])


def msn_loss():
    loss = init_msn_loss(num_views=2, tau=0.1, me_max=True, return_preds=True)
    labels = torch.eye(6)
    made = loss(
        anchor_views=numbers(1, 8, 5), target_views=numbers(2, 4, 5), prototypes=numbers(3, 6, 5), proto_labels=labels,
        use_entropy=True, use_sinkhorn=True,
    )  # fmt: skip
    return joined([*made[:3], torch.tensor([made[3]["np"]]), made[3]["max_t"], made[4]])


def augmented():
    picture = Image.fromarray(np.random.RandomState(1).randint(0, 256, (40, 40, 3)).astype("uint8"))
    made = make_transforms(rand_size=SIZE, focal_size=FOCAL, rand_views=2, focal_views=1, color_jitter=0.5)(picture)
    return [list(one.shape) for one in made]


def forward(encoder, stem):
    encoder.eval()
    stem.eval()
    pictures = views(0)
    return {
        "encoded": lambda: joined(encoder(pictures, return_before_head=True)),
        "one": lambda: encoder(pictures[0]),
        "attention": lambda: encoder.forward_selfattention(numbers(7, 1, 3, 24, 24)),
        "blocks": lambda: encoder.forward_blocks(pictures[2], num_blocks=2),
        "layers": lambda: encoder.forward_return_n_last_blocks(pictures[0], n=2, return_patch_avgpool=True),
        "stem": lambda: stem(pictures[1]),
        "loss": msn_loss,
        "sinkhorn": lambda: distributed_sinkhorn(numbers(8, 4, 6).softmax(dim=1)),
        "augmented": augmented,
    }


class Loader(list):
    def set_epoch(self, epoch):
        self.epoch = epoch


def options(folder, epochs, load=False):
    return {
        "meta": dict(
            model_name="deit_tiny_small", output_dim=16, hidden_dim=32, load_checkpoint=load, read_checkpoint=None,
            copy_data=False, use_pred_head=False, use_bn=True, drop_path_rate=0.0,
        ),
        "criterion": dict(
            memax_weight=1, ent_weight=0.5, use_ent=True, me_max=True, use_sinkhorn=True, num_proto=10, batch_size=BATCH,
            temperature=0.1, start_sharpen=0.25, final_sharpen=0.2,
        ),
        "data": dict(
            label_smoothing=0.1, color_jitter_strength=0.5, root_path=folder, image_folder="none", patch_drop=0.0,
            rand_size=SIZE, rand_views=1, focal_views=1, focal_size=FOCAL,
        ),
        "optimization": dict(
            clip_grad=3.0, weight_decay=0.04, final_weight_decay=0.4, epochs=epochs, warmup=1, start_lr=0.0002, lr=0.001,
            final_lr=1e-6,
        ),
        "logging": dict(folder=folder, write_tag="small"),
    }  # fmt: skip


def linear(net):
    """The optimizer of the linear evaluation, alone."""
    optimizer = SGD(net.fc.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-3, nesterov=True)
    for step in range(3):
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(net(numbers(step, 4, 3, SIZE, SIZE)), torch.tensor([0, 4, 2, 1]))
        loss.backward()
        optimizer.step()
    return net.fc.weight


def train(encoder, stem):
    folder = "logs"
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    loader = Loader([(views(10), None), (views(20), None)])
    made, program.init_data = program.init_model, lambda **kwargs: (loader, loader)
    program.init_model = lambda **kwargs: encoder
    program.main(options(folder, 2))
    first = encoder.blocks[1].attn.qkv.weight.detach().clone()
    program.init_model = made
    program.main(options(folder, 4, load=True))
    with open(os.path.join(folder, "small_r0.csv")) as file:
        rows = [row for row in csv.DictReader(file) if row["epoch"] != "epoch"]
    saved = torch.load(os.path.join(folder, "small-latest.pth.tar"))
    return {
        "losses": [float(row["msn"]) + float(row["me_max"]) + float(row["ent"]) for row in rows],
        "epoch": saved["epoch"],
        "encoder": first,
        "prototypes": saved["prototypes"],
        "target": saved["target_encoder"]["blocks.1.mlp.fc1.weight"],
        "last": saved["encoder"]["fc.fc3.weight"],
        "norm": saved["encoder"]["fc.bn1.running_var"],
        "rates": [group["lr"] for group in saved["opt"]["param_groups"]],
        "decays": [group["weight_decay"] for group in saved["opt"]["param_groups"]],
        "linear": linear(stem),
    }


def init():
    torch.manual_seed(0)
    encoder = encoder_of()
    return {
        "qkv": encoder.blocks[0].attn.qkv.weight,
        "patches": encoder.patch_embed.proj.weight,
        "trunc": trunc_normal_(torch.empty(50, 40), std=0.5, a=-0.5, b=0.7),
    }
