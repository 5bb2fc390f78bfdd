import os
import tempfile

import evaluate
import main as program
import numpy as np
import torch
from gmflow.gmflow import GMFlow
from gmflow.geometry import forward_backward_consistency_check
from torch.utils.data import Dataset

SIZE = 64
REFINED = {"attn_splits_list": [2, 4], "corr_radius_list": [-1, 2], "prop_radius_list": [-1, 1]}
PLAIN = {"attn_splits_list": [2], "corr_radius_list": [-1], "prop_radius_list": [-1]}


class Pairs(Dataset):
    def __init__(self, number, extra=False, height=SIZE, width=SIZE):
        rng = np.random.RandomState(number)
        self.images = (rng.rand(number, 2, 3, height, width) * 255).astype("float32")
        self.flows = (rng.randn(number, 2, height, width) * 12).astype("float32")
        self.valid = (rng.rand(number, height, width) > 0.2).astype("float32")
        self.extra = extra

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        pair = [torch.from_numpy(image) for image in self.images[index]]
        flow, valid = torch.from_numpy(self.flows[index]), torch.from_numpy(self.valid[index])
        return (*pair, flow, valid, valid) if self.extra else (*pair, flow, valid)


class Writer:
    kept = []

    def __init__(self, folder):
        pass

    def add_scalar(self, name, value, step):
        Writer.kept.append(float(value))

    def add_image(self, name, image, step):
        Writer.kept.append(float(np.asarray(image, "float64").mean()))


def build():
    plain = GMFlow(feature_channels=32, num_transformer_layers=2, ffn_dim_expansion=2)
    refined = GMFlow(num_scales=2, upsample_factor=4, feature_channels=32, num_transformer_layers=2, ffn_dim_expansion=2)
    return plain, refined


def images(seed, number=2):
    return torch.from_numpy((np.random.RandomState(seed).rand(number, 3, SIZE, SIZE) * 255).astype("float32"))


def validated(net, settings):
    evaluate.data.FlyingChairs = lambda split: Pairs(2)
    evaluate.data.MpiSintel = lambda split, dstype, load_occlusion: Pairs(2, extra=load_occlusion, height=60, width=70)
    chairs = evaluate.validate_chairs(net, with_speed_metric=True, **settings)
    sintel = evaluate.validate_sintel(net, padding_factor=16, with_speed_metric=True, evaluate_matched_unmatched=True, **settings)
    return np.array([*chairs.values(), *sintel.values()], "float64")


def forward(plain, refined):
    plain.eval()
    refined.eval()
    one, other = images(1), images(2)

    def checked():
        flow = refined(one, other, pred_bidir_flow=True, **REFINED)["flow_preds"][-1]
        ahead, back = flow[:2], flow[2:]
        return [ahead, back, *forward_backward_consistency_check(ahead, back)]

    return {
        "plain": lambda: plain(one, other, **PLAIN)["flow_preds"],
        "refined": lambda: refined(one, other, **REFINED)["flow_preds"],
        "checked": checked,
        "validated": lambda: validated(plain, PLAIN),
    }


def trained(net, settings, *more):
    folder = tempfile.mkdtemp()
    options = ["--checkpoint_dir", folder, "--batch_size", "2", "--num_workers", "0", "--num_steps", "4", "--lr", "1e-4"]
    options += ["--summary_freq", "2", "--save_latest_ckpt_freq", "2"]
    for name, values in settings.items():
        options += ["--" + name, *[str(value) for value in values]]
    args = program.get_args_parser().parse_args([*options, *more])
    Writer.kept = []
    program.SummaryWriter = Writer
    program.build_train_dataset = lambda args: Pairs(4)
    program.GMFlow = lambda **settings: net
    program.main(args)
    latest = torch.load(os.path.join(folder, "checkpoint_latest.pth"), map_location="cpu")
    kept = latest["model"]["backbone.conv1.weight"]
    return [Writer.kept, kept, net.transformer.layers[0].self_attn.q_proj.weight, net.upsampler[2].weight, latest["step"]]


def train(plain, refined):
    return {
        "plain": lambda: trained(plain, PLAIN),
        "refined": lambda: trained(refined, REFINED, "--num_scales", "2", "--upsample_factor", "4", "--padding_factor", "32"),
    }


def init():
    net = build()[0]
    return {
        "backbone": net.backbone.layer2[0].conv1.weight,
        "query": net.transformer.layers[0].self_attn.q_proj.weight,
        "mlp": net.transformer.layers[0].cross_attn_ffn.mlp[0].weight,
        "upsampler": net.upsampler[0].weight,
    }
