import copy
import os
import sys
import tempfile

import numpy as np
import torch
import torchsearchsorted
import yaml


def searchsorted(sorted_rows, values, side="left"):
    """What the extension of torchsearchsorted does."""
    return torch.searchsorted(sorted_rows, values, right=side == "right")


torchsearchsorted.searchsorted = searchsorted

import lieutils  # noqa: E402
import tiny_nerf  # noqa: E402
import train_nerf as program  # noqa: E402
from nerf import models, nerf_helpers, train_utils, volume_rendering_utils  # noqa: E402
from nerf.cfgnode import CfgNode  # noqa: E402
from nerf.metrics import ScalarMetric  # noqa: E402

SIZE, FOCAL, XYZ, DIRECTION = 6, 5.0, 3, 2
RENDERING = {
    "chunksize": 32,
    "perturb": False,
    "num_coarse": 6,
    "num_fine": 5,
    "white_background": True,
    "radiance_field_noise_std": 0.0,
    "lindisp": False,
}
ENCODING = {
    "include_input_xyz": True,
    "log_sampling_xyz": True,
    "num_encoding_fn_xyz": XYZ,
    "use_viewdirs": True,
    "include_input_dir": True,
    "num_encoding_fn_dir": DIRECTION,
    "log_sampling_dir": False,
}
SETTINGS = {
    "experiment": {
        "id": "small",
        "logdir": "logs",
        "randomseed": 42,
        "train_iters": 3,
        "validate_every": 2,
        "save_every": 2,
        "print_every": 1,
    },
    "dataset": {
        "type": "blender",
        "basedir": "cache",
        "cachedir": "nowhere",
        "half_res": True,
        "testskip": 1,
        "no_ndc": True,
        "near": 2,
        "far": 6,
    },
    "models": {"coarse": {"type": "coarse_made", **ENCODING}, "fine": {"type": "fine_made", **ENCODING}},
    "optimizer": {"type": "Adam", "lr": 5.0e-3},
    "scheduler": {"lr_decay": 250, "lr_decay_factor": 0.1},
    "nerf": {
        "use_viewdirs": True,
        "train": {"num_random_rays": 12, **RENDERING},
        "validation": RENDERING,
    },
}


def flexible():
    return models.FlexibleNeRFModel(
        num_layers=4, hidden_size=16, num_encoding_fn_xyz=XYZ, num_encoding_fn_dir=DIRECTION
    )


def build():
    return (
        flexible(),
        flexible(),
        models.ReplicateNeRFModel(hidden_size=16, num_encoding_fn_xyz=XYZ, num_encoding_fn_dir=DIRECTION),
        models.MultiHeadNeRFModel(hidden_size=16, num_encoding_functions=2),
        tiny_nerf.VeryTinyNerfModel(filter_size=16, num_encoding_functions=2),
    )


def init():
    torch.manual_seed(1)
    net = models.FlexibleNeRFModel()
    return {"first": net.layer1.weight, "feat": net.fc_feat.weight, "rgb": net.fc_rgb.weight, "bias": net.layer1.bias}


def array(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def positive(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).rand(*shape).astype("float32"))


def pose(seed):
    matrix = np.eye(4, dtype="float32")
    matrix[:3, :4] += 0.2 * np.random.RandomState(seed).randn(3, 4).astype("float32")
    matrix[2, 3] += 4.0
    return torch.from_numpy(matrix)


def moved(seed, rows=5):
    """Twists, of which the first two hardly turn."""
    found = array(seed, rows, 6)
    found[:2, :3] *= 1e-5
    return found


def forward(coarse, fine, replicate, heads, tiny):
    origins, directions = nerf_helpers.get_ray_bundle(SIZE, SIZE + 1, FOCAL, pose(1))
    encode = nerf_helpers.get_embedding_function(XYZ, True, True)
    encode_direction = nerf_helpers.get_embedding_function(DIRECTION, True, False)

    def rendered(mode, **changes):
        settings = copy.deepcopy(SETTINGS)
        settings["nerf"][mode].update(changes)
        settings["dataset"]["no_ndc"] = not changes.get("lindisp", False)
        return list(
            train_utils.run_one_iter_of_nerf(
                SIZE, SIZE + 1, FOCAL, coarse, fine, origins, directions, CfgNode(settings), mode=mode,
                encode_position_fn=encode, encode_direction_fn=encode_direction,
            )
        )  # fmt: skip

    weights = positive(8, 4, 6)
    bins = torch.sort(positive(9, 4, 7), dim=-1)[0]
    metric = ScalarMetric()
    for value in (1.0, 2.5):
        metric.update(value)
    return {
        "origins": lambda: origins,
        "directions": lambda: directions,
        "encoded": lambda: [encode(array(2, 4, 3)), nerf_helpers.positional_encoding(array(2, 4, 3), 4, False, False)],
        "replicate": lambda: replicate(array(3, 5, replicate.dim_xyz + replicate.dim_dir)),
        "heads": lambda: heads(array(4, 5, heads.xyz_encoding_dims + heads.viewdir_encoding_dims)),
        "tiny": lambda: tiny(array(5, 5, 15)),
        "trained": lambda: rendered("train"),
        "inverse": lambda: rendered("train", lindisp=True),
        "validated": lambda: rendered("validation"),
        "drawn": lambda: nerf_helpers.sample_pdf_2(bins, weights, 5, det=True),
        "drawn_first": lambda: nerf_helpers.sample_pdf(bins, weights, 5, det=True),
        "exclusive": lambda: nerf_helpers.cumprod_exclusive(positive(6, 3, 5)),
        "rays": lambda: list(nerf_helpers.ndc_rays(5, 6, FOCAL, 1.0, array(7, 3, 3), array(8, 3, 3))),
        "white": lambda: list(
            volume_rendering_utils.volume_render_radiance_field(
                array(10, 3, 5, 4), torch.sort(positive(11, 3, 5))[0], array(12, 3, 3), white_background=True
            )
        ),
        "density": lambda: list(
            tiny_nerf.render_volume_density(array(13, 3, 2, 5, 4), array(14, 3, 2, 3), torch.linspace(2.0, 6.0, 5))
        ),
        "psnr": lambda: [nerf_helpers.mse2psnr(0), nerf_helpers.mse2psnr(float(nerf_helpers.img2mse(weights, weights + 0.1)))],
        "metric": lambda: metric.value,
        "rotation": lambda: lieutils.SO3.Exp(moved(15)[:, :3]),
        "motion": lambda: lieutils.SE3.Exp(moved(16)),
        "ratio": lambda: lieutils.coeff_C(moved(17)[:, 0]),
    }  # fmt: skip


class Board:
    """Stands for the writer of TensorBoard."""

    def __init__(self, folder):
        self.folder = folder

    def add_scalar(self, name, value, step):
        scalars.append(value)

    def add_image(self, name, image, step):
        sizes.append(list(np.shape(image)))


scalars, sizes = [], []


def pictures(*folder, **settings):
    """What load_blender_data gives."""
    draw = np.random.RandomState(5)
    images = draw.rand(4, SIZE, SIZE, 4).astype("float32")
    poses = np.stack([pose(20 + n).numpy() for n in range(4)])
    split = [np.arange(0, 2), np.arange(2, 3), np.arange(3, 4)]
    return torch.from_numpy(images), torch.from_numpy(poses), torch.from_numpy(poses[:2]), [SIZE, SIZE, FOCAL], split


def lie():
    """Rows that move to others, by the operation's own gradient."""
    twists = moved(18).requires_grad_(True)
    axes = (0.3 * array(19, 4, 6)).requires_grad_(True)
    optimizer = torch.optim.SGD([twists, axes], lr=0.05)
    losses = []
    for step in range(3):
        optimizer.zero_grad()
        loss = (lieutils.SE3.Exp(twists)[:, :3] - array(40, 5, 3, 4)).pow(2).mean()
        loss = loss + (lieutils.SE3Exp_Function.apply(axes) - array(41, 4, 4, 4)).pow(2).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, twists.detach(), axes.detach()


def train(coarse, fine, replicate, heads, tiny):
    models.coarse_made = lambda **settings: coarse
    models.fine_made = lambda **settings: fine
    program.SummaryWriter, program.load_blender_data = Board, pictures
    folder, argv = os.getcwd(), sys.argv
    with tempfile.TemporaryDirectory() as here:
        os.chdir(here)
        try:
            with open("small.yml", "w") as file:
                yaml.dump(SETTINGS, file)
            sys.argv = ["train_nerf.py", "--config", "small.yml"]
            program.main()
            kept = [fine.fc_rgb.weight.detach().clone(), coarse.layer1.weight.detach().clone()]
            saved = torch.load("logs/small/checkpoint00002.ckpt", weights_only=False)
            sys.argv += ["--load-checkpoint", "logs/small/checkpoint00002.ckpt"]
            program.main()
        finally:
            os.chdir(folder)
            sys.argv = argv
    optimizer = torch.optim.Adam(tiny.parameters(), lr=5e-3)
    tiny_losses = []
    for step in range(3):
        query, depths = tiny_nerf.compute_query_points_from_rays(
            *nerf_helpers.get_ray_bundle(SIZE, SIZE, torch.tensor(FOCAL), pose(30 + step)), 2.0, 6.0, 4, randomize=False
        )
        encoded = nerf_helpers.positional_encoding(query.reshape((-1, 3)), 2)
        flat = torch.cat([tiny(batch) for batch in nerf_helpers.get_minibatches(encoded, chunksize=50)], dim=0)
        field = torch.reshape(flat, list(query.shape[:-1]) + [4])
        rgb, _, _ = tiny_nerf.render_volume_density(field, query, depths)
        loss = torch.nn.functional.mse_loss(rgb, positive(50, SIZE, SIZE, 3))
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        tiny_losses.append(loss.item())
    turned, twists, axes = lie()
    return {
        "scalars": scalars,
        "sizes": sizes,
        "rgb": kept[0],
        "layer": kept[1],
        "again": fine.fc_rgb.weight,
        "skipped": coarse.layers_xyz[2].weight,
        "saved": saved["model_fine_state_dict"]["fc_alpha.weight"],
        "iteration": saved["iter"],
        "rate": saved["optimizer_state_dict"]["param_groups"][0]["lr"],
        "moment": saved["optimizer_state_dict"]["state"][0]["exp_avg"],
        "tiny_losses": tiny_losses,
        "tiny": tiny.layer2.weight,
        "turned": turned,
        "twists": twists,
        "axes": axes,
    }
