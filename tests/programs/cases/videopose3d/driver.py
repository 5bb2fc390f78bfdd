import importlib
import os
import sys
import tempfile

import numpy as np
import torch

import common.model
from common.camera import camera_to_world, project_to_2d, project_to_2d_linear, world_to_camera
from common.loss import mean_velocity_error, mpjpe, n_mpjpe, p_mpjpe, weighted_mpjpe
from common.quaternion import qinverse, qrot
from common.utils import deterministic_random

TemporalModel, TemporalModelOptimized1f = common.model.TemporalModel, common.model.TemporalModelOptimized1f
JOINTS, FRAMES = 17, 14


def write_files(folder):
    """Human3.6M in small: three people, one walk each, seen by four cameras."""
    rng = np.random.RandomState(0)
    subjects = ("S1", "S5", "S9")
    positions = {
        subject: {"Walking 1": rng.uniform(-0.5, 0.5, (FRAMES + 2 * i, 32, 3)).astype("float32")}
        for i, subject in enumerate(subjects)
    }
    seen = {
        subject: {"Walking 1": [rng.uniform(0, 1000, (FRAMES + 2 * i + 1, JOINTS, 2)).astype("float32") for _ in range(4)]}
        for i, subject in enumerate(subjects)
    }
    sides = [[4, 5, 6, 11, 12, 13], [1, 2, 3, 14, 15, 16]]
    os.makedirs(os.path.join(folder, "data"))
    np.savez(os.path.join(folder, "data", "data_3d_h36m.npz"), positions_3d=positions)
    metadata = {"num_joints": JOINTS, "keypoints_symmetry": sides}
    np.savez(os.path.join(folder, "data", "data_2d_h36m_gt.npz"), positions_2d=seen, metadata=metadata)


def build():
    return (
        TemporalModelOptimized1f(JOINTS, 2, JOINTS, [3, 3], dropout=0.0, channels=12),
        TemporalModelOptimized1f(JOINTS, 2, 1, [3, 3], dropout=0.0, channels=12),
        TemporalModel(JOINTS, 2, JOINTS, [3, 3], causal=True, dropout=0.0, channels=12, dense=True),
        TemporalModel(JOINTS, 2, JOINTS, [3, 3, 3], dropout=0.0, channels=12),
    )


def array(seed, *shape):
    return np.random.RandomState(seed).uniform(0.2, 1, shape).astype("float32")


def tensor(seed, *shape):
    return torch.from_numpy(array(seed, *shape))


def forward(pose, trajectory, dense, longer):
    for net in (pose, trajectory, dense, longer):
        net.eval()
    x, y = tensor(2, 2, 5, JOINTS, 3), tensor(3, 2, 5, JOINTS, 3)
    return {
        "pose": pose(tensor(0, 2, 9, JOINTS, 2)),
        "trajectory": trajectory(tensor(0, 2, 9, JOINTS, 2)),
        "dense": dense(tensor(1, 2, 12, JOINTS, 2)),
        "longer": longer(tensor(1, 2, 30, JOINTS, 2)),
        "projected": lambda: project_to_2d(x, tensor(4, 2, 9)),
        "linear": lambda: project_to_2d_linear(x, tensor(4, 2, 9)),
        "rotated": lambda: qrot(tensor(5, 4, 4), tensor(6, 4, 3)),
        "inverse": lambda: qinverse(tensor(5, 4, 4), inplace=True),
        "camera": lambda: world_to_camera(array(7, 5, JOINTS, 3), array(8, 4), array(9, 3)),
        "world": lambda: camera_to_world(array(7, 5, JOINTS, 3), array(8, 4), array(9, 3)),
        "mpjpe": lambda: mpjpe(x, y),
        "weighted": lambda: weighted_mpjpe(x, y, tensor(10, 2, 5, 1)),
        "scaled": lambda: n_mpjpe(x, y),
        "aligned": lambda: p_mpjpe(array(11, 3, JOINTS, 3), array(12, 3, JOINTS, 3)),
        "velocity": lambda: mean_velocity_error(array(11, 3, JOINTS, 3), array(12, 3, JOINTS, 3)),
        "frames": lambda: np.array([longer.receptive_field(), dense.total_causal_shift(), deterministic_random(0, 99, "a")]),
    }


def run(words):
    """Run run.py, which trains and evaluates when it is imported, as if for the first time."""
    for name in ("run", "common.h36m_dataset"):
        sys.modules.pop(name, None)
    sys.argv = ["run.py", *words.split()]
    return importlib.import_module("run")


def train(pose, trajectory, dense, longer):
    results = {}
    here, arguments = os.getcwd(), sys.argv
    common.model.TemporalModelOptimized1f = lambda in_joints, features, out_joints, **settings: (
        pose if out_joints == JOINTS else trajectory
    )
    with tempfile.TemporaryDirectory() as folder:
        write_files(folder)
        os.chdir(folder)
        shared = "-k gt -ste S9 -arc 3,3 -ch 12 -drop 0 -b 16 --checkpoint-frequency 1 "
        try:
            program = run(shared + "-str S1 -e 2 -c supervised")
            results["supervised"] = [*program.losses_3d_train, *program.losses_3d_valid, *program.losses_3d_train_eval]
            program = run(shared + "-str S1 -sun S5 -e 2 --warmup 1 -c semi")
            results["semi"] = [*program.losses_3d_train, *program.losses_traj_train, *program.losses_2d_train_unlabeled]
            results["semi_valid"] = [*program.losses_3d_valid, *program.losses_traj_valid, *program.losses_2d_valid]
            program = run(shared + "-str S1 -sun S5 -e 3 --warmup 1 -c semi -r epoch_2.bin")
            results["resumed"] = [*program.losses_3d_train, *program.losses_traj_train]
            results["lr"] = program.optimizer.param_groups[0]["lr"]
            program = run(shared + "-str S1 -c semi --evaluate epoch_3.bin")
            results["evaluated"] = program.evaluate(program.test_generator)
        finally:
            sys.argv = arguments
            os.chdir(here)
            common.model.TemporalModelOptimized1f = TemporalModelOptimized1f
    results["conv"] = pose.layers_conv[0].weight.reshape(-1)
    results["shrink"] = trajectory.shrink.weight
    results["running"] = pose.layers_bn[0].running_var
    return results
