import pathlib

import numpy as np
import torch

import custom_transforms
import train as script
from inverse_warp import inverse_warp, pose_vec2mat
from loss_functions import compute_depth_errors, compute_pose_errors, explainability_loss, photometric_reconstruction_loss
from models import DispNetS, PoseExpNet
from utils import save_checkpoint, tensor2array

BATCH, HEIGHT, WIDTH = 2, 128, 128


def options():
    args = script.parser.parse_args(["data", "-b", str(BATCH), "-m", "0.2", "--print-freq", "2", "-f", "2"])
    args.save_path = pathlib.Path("saved")
    args.save_path.mkdir(exist_ok=True)
    return args


def build():
    return DispNetS(), PoseExpNet(nb_ref_imgs=2, output_exp=True)


def batch(seed, count=BATCH):
    rng = np.random.RandomState(seed)
    coarse = np.kron(rng.uniform(-1, 1, (count, 3, HEIGHT // 16, WIDTH // 16)), np.ones((1, 1, 16, 16)))
    target = coarse + 0.2 * rng.uniform(-1, 1, coarse.shape)
    others = [np.roll(target, shift, axis=3) for shift in (-2, 3)]
    intrinsics = np.array([[[90, 0, 62], [0, 95, 66], [0, 0, 1]]] * count)
    image = torch.from_numpy(target.astype("float32"))
    references = [torch.from_numpy(other.astype("float32")) for other in others]
    matrix = torch.from_numpy(intrinsics.astype("float32"))
    return image, references, matrix, matrix.inverse()


def transformed():
    rng = np.random.RandomState(3)
    pictures = [rng.randint(0, 255, (6, 8, 3)).astype("uint8") for _ in range(2)]
    steps = [custom_transforms.ArrayToTensor(), custom_transforms.Normalize(mean=[0.5, 0.4, 0.3], std=[0.5, 0.2, 0.4])]
    return custom_transforms.Compose(steps)(pictures, np.eye(3, dtype="float32"))


def warped(mode, padding):
    image, references, matrix, _ = batch(4)
    rng = np.random.RandomState(5)
    depth = torch.from_numpy(rng.uniform(1, 3, (BATCH, HEIGHT, WIDTH)).astype("float32"))
    pose = torch.from_numpy(rng.uniform(-0.1, 0.1, (BATCH, 6)).astype("float32"))
    moved, valid = inverse_warp(references[0], depth, pose, matrix, mode, padding)
    return moved, valid.float().mean() > 0.5, pose_vec2mat(pose, mode)


def errors():
    rng = np.random.RandomState(6)
    truth = torch.from_numpy(rng.uniform(-5, 90, (2, 40, 40)).astype("float32"))
    guess = torch.from_numpy(rng.uniform(1, 60, (2, 40, 40)).astype("float32"))
    poses = torch.from_numpy(rng.randn(2, 3, 3, 4).astype("float32"))
    others = torch.from_numpy(rng.randn(2, 3, 3, 4).astype("float32"))
    return compute_depth_errors(truth, guess), compute_depth_errors(truth, guess, crop=False), compute_pose_errors(poses, others)


def forward(disp_net, pose_net):
    disp_net.eval()
    pose_net.eval()
    image, references, matrix, _ = batch(0)
    disparity = disp_net(image)
    mask, pose = pose_net(image, references)
    return {
        "disparity": disparity,
        "mask": mask,
        "pose": pose,
        "euler": lambda: warped("euler", "zeros"),
        "quaternion": lambda: warped("quat", "border"),
        "photometric": lambda: photometric_reconstruction_loss(image, references, matrix, 1 / disparity, mask, pose)[0],
        "explained": lambda: explainability_loss(mask),
        "errors": lambda: errors(),
        "transformed": lambda: transformed(),
        "shown": lambda: tensor2array(disparity[0], colormap="magma"),
    }


class Writer:
    def __init__(self):
        self.kept = []

    def add_scalar(self, name, value, step):
        self.kept.append(float(value))

    def add_image(self, name, image, step):
        self.kept.append(float(np.asarray(image).mean()))

    def add_histogram(self, name, values, step):
        self.kept.append(float(values.sum()))


class Bar:
    def update(self, value):
        pass

    write = update


class Logger:
    train_bar = valid_bar = train_writer = valid_writer = Bar()


def train(disp_net, pose_net):
    args, writer = options(), Writer()
    groups = [{"params": disp_net.parameters(), "lr": args.lr}, {"params": pose_net.parameters(), "lr": args.lr}]
    optimizer = torch.optim.Adam(groups, betas=(args.momentum, args.beta), weight_decay=args.weight_decay)
    loss = script.train(args, [batch(one) for one in (1, 2, 3)], disp_net, pose_net, optimizer, 3, Logger(), writer)
    without, _ = script.validate_without_gt(args, [batch(7), batch(8)], disp_net, pose_net, 0, Logger(), writer)
    save_checkpoint(args.save_path, {"state_dict": disp_net.state_dict()}, {"state_dict": pose_net.state_dict()}, True)
    best = torch.load(args.save_path / "dispnet_model_best.pth.tar")
    return {
        "loss": loss,
        "written": writer.kept,
        "validated": without,
        "disparity": disp_net.predict_disp1[0].weight,
        "up": best["state_dict"]["upconv7.0.weight"],
        "pose": pose_net.pose_pred.weight,
        "mask": pose_net.predict_mask1.bias,
    }


def init():
    nets = build()
    for net in nets:
        net.init_weights()
    return {"down": nets[0].conv2[0].weight, "up": nets[0].upconv4[0].weight, "pose": nets[1].conv3[0].weight}
