import contextlib
import io
import os
import sys

import common.model_poseformer as model_poseformer
import numpy as np
import torch
from common.camera import (
    camera_to_world,
    image_coordinates,
    normalize_screen_coordinates,
    project_to_2d,
    world_to_camera,
)
from common.generators import ChunkedGenerator
from common.loss import mean_velocity_error, mpjpe, n_mpjpe, p_mpjpe, weighted_mpjpe
from common.model_poseformer import PoseTransformer
from common.quaternion import qinverse, qrot
from common.utils import deterministic_random, wrap

FRAMES = 9
SIZES = {
    "num_frame": FRAMES,
    "num_joints": 17,
    "in_chans": 2,
    "embed_dim_ratio": 8,
    "depth": 2,
    "num_heads": 4,
    "drop_path_rate": 0,
}


def build():
    return PoseTransformer(qkv_bias=True, **SIZES), PoseTransformer(qkv_bias=True, **SIZES)


def poses(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def made_up():
    """Files like those of Human3.6M: positions in space, and their detections in four cameras."""
    os.makedirs("data", exist_ok=True)
    rng = np.random.RandomState(0)
    space, plane = {}, {}
    for subject, actions in (("S1", 2), ("S9", 1)):
        space[subject] = {f"Walking {one}": rng.randn(12, 32, 3).astype("float32") for one in range(actions)}
        plane[subject] = {
            action: [rng.rand(12 + (camera == 1), 17, 2).astype("float32") * 1000 for camera in range(4)]
            for action in space[subject]
        }
    metadata = {"num_joints": 17, "keypoints_symmetry": [[4, 5, 6, 11, 12, 13], [1, 2, 3, 14, 15, 16]]}
    np.savez("data/data_3d_h36m.npz", positions_3d=space)
    np.savez("data/data_2d_h36m_cpn_ft_h36m_dbb.npz", positions_2d=plane, metadata=metadata)


def cameras():
    rng = np.random.RandomState(1)
    X, t = rng.randn(2, 5, 3).astype("float32"), rng.randn(3).astype("float32")
    R = rng.randn(4).astype("float32")
    R /= np.linalg.norm(R)
    seen = world_to_camera(X, R, t)
    intrinsic = torch.from_numpy(np.abs(rng.randn(2, 9)).astype("float32"))
    screen = normalize_screen_coordinates(X[..., :2], w=1000, h=800)
    return [
        seen,
        camera_to_world(seen, R, t),
        project_to_2d(torch.from_numpy(X), intrinsic),
        image_coordinates(screen, w=1000, h=800),
        qrot(poses(2, 3, 4), poses(3, 3, 3)),
        wrap(qinverse, poses(4, 2, 4).numpy()),
        np.array([deterministic_random(0, 10, "poses")]),
    ]


def losses():
    predicted, target = poses(5, 3, 2, 17, 3), poses(6, 3, 2, 17, 3)
    flat = [one.numpy().reshape(-1, 17, 3) for one in (predicted, target)]
    return [
        mpjpe(predicted, target),
        weighted_mpjpe(predicted, target, torch.ones(3, 2, 17) * 0.5),
        n_mpjpe(predicted, target),
        np.array(p_mpjpe(*flat)),
        np.array(mean_velocity_error(*flat)),
    ]


def batches():
    given = [[poses(seed, 6, 17, size).numpy()] for seed, size in ((7, 3), (8, 2))]
    generator = ChunkedGenerator(
        2, [np.ones(9)], *given, 1, pad=2, shuffle=True, augment=True,
        kps_left=[1, 2], kps_right=[3, 4], joints_left=[1, 2], joints_right=[3, 4],
    )  # fmt: skip
    return [one.copy() for batch in generator.next_epoch() for one in batch[1:]]


def forward(net, other):
    net.eval()
    other.eval()
    return {
        "net": lambda: net(poses(9, 2, FRAMES, 17, 2)),
        "other": lambda: other(poses(10, 3, FRAMES, 17, 2)),
        "cameras": cameras,
        "losses": losses,
        "batches": batches,
    }


def run(nets, *options):
    """The repository's script from its first line to its last, with these nets in the place of those it makes."""
    arguments = sys.argv
    sys.argv = [
        "run_poseformer.py",
        "-str",
        "S1",
        "-ste",
        "S9",
        "-frame",
        str(FRAMES),
        "-b",
        "32",
        "-lr",
        "0.001",
        *options,
    ]
    nets = list(nets)
    model_poseformer.PoseTransformer = lambda **sizes: nets.pop(0)
    said = io.StringIO()
    for name in ("run_poseformer", "common.h36m_dataset"):  # which changes the skeleton that it has
        sys.modules.pop(name, None)
    try:
        with contextlib.redirect_stdout(said):
            import run_poseformer as script
    finally:
        sys.argv = arguments
        model_poseformer.PoseTransformer = PoseTransformer
    shown = said.getvalue()
    epochs = [
        float(line.split(name)[1].split()[0])
        for line in shown.splitlines()
        for name in ("3d_train ", "3d_eval ", "3d_valid ")
        if name in line
    ]
    errors = [
        float(line.split(":")[1].split()[0]) for line in shown.splitlines() if line.startswith("Protocol #")
    ]
    return script, epochs, errors


def train(net, other):
    made_up()
    script, epochs, errors = run((net, other), "-e", "2", "--checkpoint-frequency", "2")
    trained = [np.array(epochs), np.array(errors), net.head[1].weight, other.Spatial_pos_embed]
    resumed, epochs, errors = run(
        (net, other), "-e", "3", "-r", "epoch_2.bin", "--no-data-augmentation", "--subset", "0.5"
    )
    again = [np.array(epochs), np.array(errors), np.array(resumed.lr), net.blocks[0].mlp.fc1.weight]
    _, _, errors = run((net, other), "--evaluate", "best_epoch.bin", "-a", "Walking")
    return {"trained": lambda: trained, "resumed": lambda: again, "evaluated": lambda: np.array(errors)}


def init():
    net = build()[0]
    return {
        "embedding": net.Spatial_patch_to_embedding.weight,
        "qkv": net.blocks[0].attn.qkv.weight,
        "mean": net.weighted_mean.weight,
        "places": net.Temporal_pos_embed,
    }
