import contextlib
import io
import json
import os
import sys

import imageio
import numpy as np
import torch
from dotmap import DotMap
from pyhocon import ConfigFactory

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "src"))
sys.path.insert(0, os.path.join(here, "train"))

import util  # noqa: E402
from data import get_split_dataset  # noqa: E402
from data.data_util import ColorJitterDataset  # noqa: E402
from model import make_model  # noqa: E402
from model.loss import AlphaLossNV2, get_rgb_loss  # noqa: E402
from render import NeRFRenderer  # noqa: E402

CONF = """
include required("%s/conf/default_mv.conf")
model {
    mlp_coarse { d_hidden = 24, n_blocks = 3, combine_layer = 2 }
    mlp_fine { d_hidden = 24, n_blocks = 3, combine_layer = 2, combine_type = max, beta = 2.0 }
    encoder { backbone = resnet18, pretrained = False, num_layers = 2 }
}
renderer { n_coarse = 8, n_fine = 6, n_fine_depth = 2, sched = [[2, 3], [10, 12], [6, 8]] }
train { print_interval = 1, save_interval = 1, vis_interval = 2, eval_interval = 2 }
data { format = multi_obj }
"""


def configuration():
    with open("made.conf", "w") as file:
        file.write(CONF % here)
    return ConfigFactory.parse_file("made.conf")


def build():
    conf = configuration()
    net = make_model(conf["model"])
    renderer = NeRFRenderer.from_conf(conf["renderer"], lindisp=False)
    conf.put("model.use_global_encoder", True)
    conf.put("model.global_encoder", ConfigFactory.from_dict({"backbone": "resnet18", "pretrained": False}))
    conf.put("model.use_code_viewdirs", True)
    conf.put("model.mlp_fine.type", "empty")
    conf.put("model.mlp_coarse.use_spade", True)
    return net, renderer, make_model(conf["model"])


def init():
    torch.manual_seed(0)
    net = make_model(configuration()["model"])
    return {
        "lin_in": net.mlp_coarse.lin_in.weight,
        "lin_z": net.mlp_coarse.lin_z[0].weight,
        "fc_0": net.mlp_fine.blocks[0].fc_0.weight,
        "conv1": net.encoder.model.conv1.weight,
    }


def look_from(number):
    angle = 0.7 * number
    return util.pose_spherical(40.0 * number, -20.0 + 5 * angle, 6.0)


def scene(folder, seed, views=3, size=32):
    """Images of a disk with a transparent background, and the cameras they were taken with."""
    os.makedirs(folder, exist_ok=True)
    rng, frames = np.random.RandomState(seed), []
    y, x = np.mgrid[:size, :size] / (size / 2.0) - 1.0
    for number in range(views):
        image = rng.randint(0, 255, (size, size, 4)).astype("uint8")
        image[..., 3] = np.where(x**2 + (y - 0.1 * number) ** 2 < 0.5, 255, 0)
        image[..., :3] = image[..., :3] // 3 + (80 * np.abs(x)[..., None]).astype("uint8")
        image[image[..., 3] == 0] = 0
        imageio.imwrite(os.path.join(folder, "%d_obj.png" % number), image)
        frames.append({"file_path": "./%d" % number, "transform_matrix": look_from(number + seed).tolist()})
    with open(os.path.join(folder, "transforms.json"), "w") as file:
        json.dump({"camera_angle_x": 0.6, "frames": frames}, file)


def scenes():
    for stage, seeds in (("train", (0, 1, 2, 3)), ("val", (4, 5)), ("test", (6,))):
        for seed in seeds:
            scene(os.path.join("made", stage, "object%d" % seed), seed)
    return get_split_dataset("multi_obj", "made")


def encoded(net, item):
    images, poses = item["images"], item["poses"]
    net.encode(images[:2].unsqueeze(0), poses[:2].unsqueeze(0), torch.tensor([float(item["focal"])]))
    return net


def rays_of(item, data, step=61):
    rays = util.gen_rays(item["poses"], 32, 32, torch.tensor(float(item["focal"])), data.z_near, data.z_far)
    return rays.reshape(-1, 8)[::step].unsqueeze(0)


def rendered(net, renderer, item, data, simple=False):
    shown = renderer.bind_parallel(encoded(net, item), [0], simple_output=simple).eval()
    return shown(rays_of(item, data), want_weights=True)


def forward(net, renderer, other):
    train_set, val_set, _ = scenes()
    items = [train_set[i] for i in range(len(train_set))]
    item = sorted(items, key=lambda one: one["path"])[0]
    for one in (net, renderer, other):
        one.eval()
    outputs = {name: item[name] for name in ("images", "masks", "bbox", "poses")}
    outputs["rays"] = rays_of(item, train_set)
    with torch.no_grad():
        shown = DotMap(rendered(net, renderer, item, train_set))
        for name in ("rgb", "depth", "weights"):
            outputs["coarse_" + name] = shown.coarse[name]
            outputs["fine_" + name] = shown.fine[name]
        outputs["simple"] = rendered(net, renderer, item, train_set, simple=True)[0]
        outputs["latent"] = net.encoder.latent
    points = torch.from_numpy(np.random.RandomState(1).randn(1, 7, 3).astype("float32"))
    directions = torch.nn.functional.normalize(points.flip(1), dim=-1)
    outputs["other"] = lambda: encoded(other, item)(points, viewdirs=directions)

    def jittered():
        np.random.seed(0)
        return ColorJitterDataset(train_set)[0]["images"]

    def quaternions():
        q = torch.from_numpy(np.random.RandomState(2).rand(4, 4).astype("float32"))
        return util.rot_to_quat(util.quat_to_rot(q))

    def alpha():
        criterion = AlphaLossNV2(0.1, 100, 2, force_opaque=True)
        first = criterion(torch.sigmoid(points))
        criterion.sched_step(3)
        return torch.stack([first[0], criterion(torch.sigmoid(points))])

    def empty():
        wrapper = renderer.bind_parallel(net, None, simple_output=True)
        return torch.tensor([float(one.numel() + len(one.shape)) for one in wrapper(torch.zeros(0, 8))])

    def last_ray():
        picked = util.batched_index_select_nd_last(points, torch.tensor([[0, 2]])[:, None].expand(1, 7, 2)[:, 0])
        return picked

    outputs.update(
        jittered=jittered, quaternions=quaternions, alpha=alpha, empty=empty, last=last_ray,
        grid=lambda: util.gen_grid((0, 1, 3), (-1, 1, 4)),
        homogeneous=lambda: util.homogeneous(points),
        look_at=lambda: torch.from_numpy(util.look_at(np.ones(3, "float32"), np.zeros(3, "float32"))),
        masked=lambda: torch.tensor(util.masked_sample(item["masks"][:, 0], 10, 0.6).shape),
        sampled=lambda: util.bbox_sample(item["bbox"], 50).float().amin(0) * 0,
        l1=lambda: get_rgb_loss(ConfigFactory.from_dict({"use_l1": True}))(points, directions),
    )  # fmt: skip
    return outputs


def train(net, renderer, other):
    scenes()
    configuration()
    os.makedirs("checkpoints/made", exist_ok=True)
    torch.save(net.state_dict(), "checkpoints/made/pixel_nerf_init")
    sys.argv = [
        "train.py", "-n", "made", "-c", "made.conf", "-D", "made", "--epochs", "2", "--lr", "5e-5", "--gamma", "0.5",
        "-B", "2", "-V", "2", "--no_bbox_step", "0", "-R", "40", "--gpu_id", "0",
    ]  # fmt: skip
    said = io.StringIO()
    sys.modules.pop("train", None)  # it trains when it is imported
    with contextlib.redirect_stdout(said):
        import train  # noqa: F401
    losses = []
    for line in said.getvalue().splitlines():
        if " loss " in line:
            losses.extend(float(word.partition(":")[2]) for word in line.split() if word.startswith(("t:", "rf:")))
    saved = torch.load("checkpoints/made/pixel_nerf_latest")
    result = {"losses": losses, "rate": float(torch.load("checkpoints/made/_iter")["iter"])}
    for name in ("mlp_coarse.lin_out.weight", "mlp_fine.lin_z.0.weight", "encoder.model.conv1.weight"):
        result[name] = saved[name]
    result["steps"] = torch.load("checkpoints/made/_renderer")["iter_idx"]
    return result
