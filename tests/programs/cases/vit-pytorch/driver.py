"""Vision transformers of many kinds, one class of the repository each, and its masked autoencoder and distillation."""

import numpy as np
import torch
import torch.nn.functional as F
from vit_pytorch import ViT
from vit_pytorch.cait import CaiT
from vit_pytorch.cct import CCT
from vit_pytorch.cross_vit import CrossViT
from vit_pytorch.crossformer import CrossFormer
from vit_pytorch.cvt import CvT
from vit_pytorch.deepvit import DeepViT
from vit_pytorch.distill import DistillableViT, DistillWrapper
from vit_pytorch.levit import LeViT
from vit_pytorch.mae import MAE
from vit_pytorch.max_vit import MaxViT
from vit_pytorch.mobile_vit import MobileViT
from vit_pytorch.nest import NesT
from vit_pytorch.parallel_vit import ViT as ParallelViT
from vit_pytorch.pit import PiT
from vit_pytorch.regionvit import RegionViT
from vit_pytorch.rvt import RvT
from vit_pytorch.scalable_vit import ScalableViT
from vit_pytorch.sep_vit import SepViT
from vit_pytorch.simmim import SimMIM
from vit_pytorch.simple_vit import SimpleViT
from vit_pytorch.simple_vit_with_fft import SimpleViT as FourierViT
from vit_pytorch.simple_vit_with_register_tokens import SimpleViT as RegisterViT
from vit_pytorch.t2t import T2TViT
from vit_pytorch.twins_svt import TwinsSVT
from vit_pytorch.vit_3d import ViT as VideoViT
from vit_pytorch.vit_for_small_dataset import ViT as SmallDataViT
from vit_pytorch.vit_with_patch_merger import ViT as MergerViT
from vit_pytorch.vivit import ViViT
from vit_pytorch.xcit import XCiT

CLASSES = 5
PLAIN = {"num_classes": CLASSES, "dim": 16, "depth": 2, "heads": 2, "mlp_dim": 24}
SQUARE = {**PLAIN, "image_size": 32, "patch_size": 8}
IMAGE = (2, 3, 32, 32)
WINDOWS = (2, 3, 56, 56)


def stages(*numbers, **options):
    """The options of a network in stages, whose names begin with s1_, s2_ and so on."""
    return {f"s{number}_{name}": value for number in numbers for name, value in options.items()}


KINDS = {
    "vit": (IMAGE, lambda: ViT(**SQUARE)),
    "simple": (IMAGE, lambda: SimpleViT(**SQUARE)),
    "fourier": (IMAGE, lambda: FourierViT(**SQUARE, freq_patch_size=8)),
    "registers": (IMAGE, lambda: RegisterViT(**SQUARE)),
    "parallel": (IMAGE, lambda: ParallelViT(**SQUARE)),
    "deep": (IMAGE, lambda: DeepViT(**SQUARE)),
    "small_data": (IMAGE, lambda: SmallDataViT(**SQUARE)),
    "merger": (IMAGE, lambda: MergerViT(**SQUARE, patch_merge_layer=1, patch_merge_num_tokens=4)),
    "cait": (IMAGE, lambda: CaiT(**SQUARE, cls_depth=1, layer_dropout=0.0)),
    "xcit": (IMAGE, lambda: XCiT(**SQUARE, cls_depth=1, layer_dropout=0.0)),
    "rotary": (IMAGE, lambda: RvT(**SQUARE)),
    "t2t": (IMAGE, lambda: T2TViT(**PLAIN, image_size=32, t2t_layers=((7, 4), (3, 2)))),
    "compact": (
        (2, 3, 32, 32),
        lambda: CCT(
            img_size=(32, 32), embedding_dim=16, n_conv_layers=2, kernel_size=3, num_layers=2, num_heads=2,
            mlp_ratio=2.0, num_classes=CLASSES, positional_embedding="learnable", stochastic_depth=0.0,
            dropout_rate=0.0, attention_dropout=0.0,
        ),
    ),
    "cross": (
        IMAGE,
        lambda: CrossViT(
            image_size=32, num_classes=CLASSES, depth=1, sm_dim=8, sm_patch_size=8, sm_enc_depth=1, sm_enc_heads=2,
            sm_enc_mlp_dim=16, lg_dim=16, lg_patch_size=16, lg_enc_depth=1, lg_enc_heads=2, lg_enc_mlp_dim=16,
            cross_attn_depth=1, cross_attn_heads=2, dropout=0.0, emb_dropout=0.0,
        ),
    ),
    "pooled": (IMAGE, lambda: PiT(**{**SQUARE, "depth": (1, 1)})),
    "levit": (
        (2, 3, 64, 64),
        lambda: LeViT(image_size=64, num_classes=CLASSES, stages=2, dim=(16, 24), depth=1, heads=(2, 3), mlp_mult=2),
    ),
    "cvt": (
        (2, 3, 64, 64),
        lambda: CvT(
            num_classes=CLASSES,
            **stages(1, emb_dim=8, emb_kernel=7, emb_stride=4, heads=1),
            **stages(2, emb_dim=12, emb_kernel=3, emb_stride=2, heads=2),
            **stages(3, emb_dim=16, emb_kernel=3, emb_stride=2, heads=2),
            **stages(1, 2, 3, proj_kernel=3, kv_proj_stride=2, depth=1, mlp_mult=2),
        ),
    ),
    "twins": (
        (2, 3, 64, 64),
        lambda: TwinsSVT(
            num_classes=CLASSES, peg_kernel_size=3,
            **stages(1, emb_dim=8, patch_size=4, local_patch_size=4, global_k=4, depth=1),
            **stages(2, emb_dim=12, patch_size=2, local_patch_size=4, global_k=4, depth=1),
            **stages(3, emb_dim=16, patch_size=2, local_patch_size=2, global_k=2, depth=1),
            **stages(4, emb_dim=16, patch_size=2, local_patch_size=1, global_k=2, depth=1),
        ),
    ),
    "region": (
        (2, 3, 64, 64),
        lambda: RegionViT(
            dim=(8, 8, 16, 16), depth=(1, 1, 1, 1), window_size=2, num_classes=CLASSES, use_peg=True
        ),
    ),
    "crossformer": (
        (2, 3, 64, 64),
        lambda: CrossFormer(
            num_classes=CLASSES, dim=(32, 32, 32, 32), depth=(1, 1, 1, 1), global_window_size=(4, 2, 2, 1),
            local_window_size=(4, 4, 2, 1),
        ),
    ),
    "scalable": (
        (2, 3, 64, 64),
        lambda: ScalableViT(
            num_classes=CLASSES, dim=8, heads=(1, 2, 2, 2), depth=(1, 1, 1, 1), ssa_dim_key=(8, 8, 8, 8),
            reduction_factor=(4, 2, 1, 1), window_size=(8, 4, None, None),
        ),
    ),
    "separable": (
        WINDOWS,
        lambda: SepViT(num_classes=CLASSES, dim=8, dim_head=8, heads=(1, 2), depth=(1, 1), window_size=7),
    ),
    "multi_axis": (
        WINDOWS,
        lambda: MaxViT(
            num_classes=CLASSES, dim_conv_stem=8, dim=8, dim_head=8, depth=(1, 1), window_size=7, dropout=0.0
        ),
    ),
    "nested": (
        IMAGE,
        lambda: NesT(
            image_size=32, patch_size=4, dim=8, heads=2, num_hierarchies=2, block_repeats=(1, 1), num_classes=CLASSES
        ),
    ),
    "mobile": (
        (2, 3, 64, 64),
        lambda: MobileViT(
            image_size=(64, 64), dims=[12, 16, 20], channels=[8, 8, 12, 12, 16, 16, 20, 20, 24, 24, 32],
            num_classes=CLASSES,
        ),
    ),
    "video": (
        (2, 3, 4, 16, 16),
        lambda: VideoViT(**PLAIN, image_size=16, image_patch_size=8, frames=4, frame_patch_size=2),
    ),
    "factorised": (
        (2, 3, 4, 16, 16),
        lambda: ViViT(
            num_classes=CLASSES, dim=16, heads=2, mlp_dim=24, image_size=16, image_patch_size=8, frames=4,
            frame_patch_size=2, spatial_depth=1, temporal_depth=1,
        ),
    ),
}  # fmt: skip


def build():
    nets = [make() for _, make in KINDS.values()]
    student = DistillableViT(**SQUARE)
    distiller = DistillWrapper(
        student=student, teacher=SimpleViT(**SQUARE), temperature=3, alpha=0.5, hard=False
    )
    masked = MAE(encoder=ViT(**SQUARE), masking_ratio=0.5, decoder_dim=12, decoder_depth=1, decoder_heads=2)
    restored = SimMIM(encoder=ViT(**SQUARE), masking_ratio=0.5)
    return *nets, distiller, masked, restored


def pictures(shape, seed=0):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def forward(*nets):
    outputs = {}
    for (name, (shape, _)), net in zip(KINDS.items(), nets, strict=False):
        net.eval()
        outputs[name] = lambda net=net, shape=shape: net(pictures(shape))
    distiller = nets[len(KINDS)]
    distiller.eval()
    labels = torch.from_numpy(np.random.RandomState(4).randint(0, CLASSES, 2))
    outputs["distilled"] = lambda: distiller(pictures(IMAGE), labels)
    return outputs


def train(*nets):
    results = {}
    labels = torch.from_numpy(np.random.RandomState(4).randint(0, CLASSES, 2))
    for (name, (shape, _)), net in zip(KINDS.items(), nets, strict=False):
        net.train()
        optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
        for step in range(3):
            loss = F.cross_entropy(net(pictures(shape, step)), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        results[name] = loss.item()
    distiller = nets[len(KINDS)]
    optimizer = torch.optim.Adam(distiller.student.parameters(), lr=1e-3)
    for step in range(3):
        optimizer.zero_grad()
        loss = distiller(pictures(IMAGE, step), labels)
        loss.backward()
        optimizer.step()
    results["distilled"] = loss.item()
    results["distilled_weight"] = distiller.student.to_patch_embedding[2].weight
    return results
