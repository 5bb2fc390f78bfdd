import numpy as np
import torch

from layers import BackprojectDepth, Project3D, disp_to_depth, transformation_from_parameters
from options import MonodepthOptions
from trainer import Trainer

HEIGHT, WIDTH, BATCH = 64, 96, 2
arguments = [
    "--height", str(HEIGHT), "--width", str(WIDTH), "--batch_size", str(BATCH), "--weights_init", "scratch",
    "--no_cuda", "--num_workers", "0", "--log_frequency", "2", "--log_dir", "logs", "--png", "--data_path", "nowhere",
]  # fmt: skip
NAMES = ("encoder", "depth", "pose_encoder", "pose")
trainers = []


def build():
    trainer = Trainer(MonodepthOptions().parser.parse_args(arguments))
    trainers.append(trainer)
    return tuple(trainer.models[name] for name in NAMES)


def batch(seed):
    rng = np.random.RandomState(seed)
    inputs = {}
    base = rng.rand(BATCH, 3, 1, 1) + 0.3 * rng.rand(BATCH, 3, HEIGHT, WIDTH)
    for frame in (0, -1, 1):
        full = np.roll(base, 2 * frame, axis=3) / 1.3
        for scale in range(4):
            step = 2**scale
            shrunk = full.reshape(BATCH, 3, HEIGHT // step, step, WIDTH // step, step).mean((3, 5))
            inputs[("color", frame, scale)] = torch.from_numpy(shrunk.astype("float32"))
            inputs[("color_aug", frame, scale)] = torch.from_numpy(shrunk.astype("float32"))
    for scale in range(4):
        K = np.array([[0.58, 0, 0.5, 0], [0, 1.92, 0.5, 0], [0, 0, 1, 0], [0, 0, 0, 1]], dtype=np.float32)
        K[0, :] *= WIDTH // (2**scale)
        K[1, :] *= HEIGHT // (2**scale)
        inputs[("K", scale)] = torch.from_numpy(np.stack([K] * BATCH))
        inputs[("inv_K", scale)] = torch.from_numpy(np.stack([np.linalg.pinv(K)] * BATCH))
    depth = rng.uniform(1, 60, (BATCH, 1, 375, 1242)).astype("float32")
    inputs["depth_gt"] = torch.from_numpy(depth)
    return inputs


def projected():
    rng = np.random.RandomState(5)
    depth = torch.from_numpy(rng.uniform(1, 5, (BATCH, 1, HEIGHT, WIDTH)).astype("float32"))
    axis = torch.from_numpy(rng.uniform(0.1, 0.3, (BATCH, 1, 3)).astype("float32"))
    shift = torch.from_numpy(rng.uniform(0.1, 0.3, (BATCH, 1, 3)).astype("float32"))
    inputs = batch(1)
    points = BackprojectDepth(BATCH, HEIGHT, WIDTH)(depth, inputs[("inv_K", 0)])
    return Project3D(BATCH, HEIGHT, WIDTH)(
        points, inputs[("K", 0)], transformation_from_parameters(axis, shift, invert=True)
    )


def forward(*nets):
    encoder, depth, pose_encoder, pose = nets
    for net in nets:
        net.eval()
    inputs = batch(0)
    with torch.no_grad():
        features = encoder(inputs[("color", 0, 0)])
        outputs = depth(features)
        both = torch.cat([inputs[("color", 0, 0)], inputs[("color", 1, 0)]], 1)
        axisangle, translation = pose([pose_encoder(both)])
    return {
        "features": features[-1],
        "disp": outputs[("disp", 0)],
        "coarse": outputs[("disp", 3)],
        "depth": disp_to_depth(outputs[("disp", 0)], 0.1, 100.0)[1],
        "axisangle": axisangle,
        "translation": translation,
        "projected": lambda: projected(),
    }


class Writer:
    def __init__(self):
        self.values = []

    def add_scalar(self, name, value, step):
        if name.startswith(("loss", "de/", "da/")):
            self.values.append(float(value))

    def add_image(self, name, image, step):
        pass


def train(*nets):
    trainer = trainers[-1]
    trainer.train_loader = [batch(step) for step in range(3)]
    trainer.val_loader = [batch(7)]
    trainer.val_iter = iter(trainer.val_loader)
    trainer.writers = {"train": Writer(), "val": Writer()}
    trainer.epoch = trainer.step = trainer.start_time = 0
    trainer.run_epoch()
    trainer.save_model()
    return {
        "training": trainer.writers["train"].values,
        "validation": trainer.writers["val"].values,
        "encoder": nets[0].encoder.conv1.weight,
        "pose": nets[3].net[0].bias,
    }
