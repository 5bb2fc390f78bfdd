import sys

import numpy as np
import torch
from torch import optim
from torch.utils.data import TensorDataset

import main as program
from eval import evaluate
from models import define_models as define
from models.fc.layers import fc_layer_fixed_gates
from models.utils import loss_functions
from train.train_task_based import train_cl
from utils import checkattr

config = {"size": 8, "channels": 1, "classes": 4, "classes_per_context": 2, "output_units": 4}


def inputs(*options):
    """What a user types."""
    sizes = "--contexts 2 --iters 3 --batch 8 --fc-units 12 --z-dim 5 --lr 0.01 --depth 0".split()
    sys.argv = ["main.py", "--scenario", "class", *sizes, *options]
    return program.handle_inputs()


runs = {
    "si": inputs("--si", "--reg-strength", "10"),
    "ewc": inputs("--ewc", "--reg-strength", "50", "--optimizer", "sgd"),
    "lwf": inputs("--lwf", "--fc-nl", "leakyrelu"),
    "conv": inputs("--depth", "2", "--channels", "4", "--reducing-layers", "1", "--agem", "--budget", "8"),
    "kfac": inputs("--ncl", "--fisher-prior", "20", "--reg-strength", "2"),
    "feedback": inputs("--replay", "generative", "--feedback", "--per-class", "--prior", "GMM"),
}


def build():
    return tuple(
        define.define_classifier(args=args, config=config, device="cpu", depth=args.depth)
        for args in runs.values()
    )


def init():
    args = inputs("--depth", "0", "--fc-units", "200")
    args.init_weight = "xavier"
    net = define.define_classifier(args=args, config=config, device="cpu")
    define.init_params(net, args)
    return {"layer": net.fcE.fcLayer1.linear.weight, "classifier": net.classifier.linear.weight}


def images(seed, classes):
    rng = np.random.RandomState(seed)
    labels = np.repeat(classes, 4)
    pictures = rng.rand(len(labels), 1, 8, 8) * 0.5 + 0.1 * labels[:, None, None, None]
    return torch.from_numpy(pictures.astype("float32")), torch.from_numpy(labels)


def contexts(seed):
    return [TensorDataset(*images(seed + i, [2 * i, 2 * i + 1])) for i in range(2)]


def forward(*nets):
    outputs = {}
    x, y = images(5, [0, 1, 2, 3])
    for (name, args), net in zip(runs.items(), nets):
        net.eval()
        outputs[name] = net.classify(x) if name == "feedback" else net(x)
    feedback = nets[-1]
    outputs["reconstructed"] = feedback(x, reparameterize=False)
    outputs["hidden"] = (
        nets[3].hidden_images(x) if hasattr(nets[3], "hidden_images") else nets[3].feature_extractor(x)
    )
    outputs["accuracy"] = lambda: torch.tensor(
        evaluate.test_acc(nets[0], TensorDataset(x, y), verbose=False, test_size=None)
    )
    outputs["distilled"] = lambda: loss_functions.loss_fn_kd(nets[0](x), nets[1](x)[:, :3], T=2.0)
    outputs["distilled_binary"] = lambda: loss_functions.loss_fn_kd_binary(nets[0](x), nets[1](x)[:, :3])
    outputs["log_normal"] = lambda: loss_functions.log_Normal_diag(x, 0.2 * x, x - 1, average=True, dim=-1)
    return outputs


def prepare(net, args):
    """As the main program does."""
    net.optim_list = [{"params": filter(lambda p: p.requires_grad, net.parameters()), "lr": args.lr}]
    net.optim_type = args.optimizer
    if net.optim_type in ("adam", "adam_reset"):
        net.optimizer = optim.Adam(net.optim_list, betas=(0.9, 0.999))
    elif net.optim_type == "sgd":
        net.optimizer = optim.SGD(net.optim_list, momentum=args.momentum)
    net.scenario, net.classes_per_context, net.neg_samples = args.scenario, 2, args.neg_samples
    net.replay_mode = args.replay
    net.replay_targets = "soft" if checkattr(args, "distill") else "hard"
    net.KD_temp = args.temp if hasattr(args, "temp") else 2.0
    net.lwf_weighting = args.replay == "current" and net.replay_targets == "soft"
    if checkattr(args, "weight_penalty"):
        net.weight_penalty, net.importance_weighting = True, args.importance_weighting
        net.reg_strength = args.reg_strength
        net.offline = checkattr(args, "offline")
    if checkattr(args, "precondition"):
        net.precondition, net.alpha, net.fisher_kfac = True, args.alpha, True
        net.data_size, net.context_count, net.fisher_labels = args.data_size, 1, args.fisher_labels
        net.initialize_kfac_fisher()
    if hasattr(args, "use_replay"):
        net.use_replay = args.use_replay
        net.eps_agem = args.eps_agem if hasattr(args, "eps_agem") else 0.0
    if hasattr(args, "budget") and checkattr(args, "agem"):
        net.use_memory_buffer, net.budget_per_class, net.use_full_capacity = True, args.budget, False
        net.sample_selection, net.norm_exemplars, net.add_buffer = "random", False, False
        net.prototypes = False


def train(*nets):
    np.random.seed(0)
    losses = []

    def note(progress, batch_index, loss_dict, context=None, **kwargs):
        losses.append([loss_dict["loss_total"], loss_dict["accuracy"], loss_dict["pred"]])

    for (name, args), net in zip(runs.items(), nets):
        if name == "feedback":
            continue  # it samples what it replays
        prepare(net, args)
        train_cl(net, contexts(0), iters=args.iters, batch_size=args.batch, loss_cbs=[note])
        losses.append([evaluate.test_acc(net, contexts(0)[1], verbose=False, test_size=None), 0, 0])
    return {
        "losses": np.array(losses, dtype="float64"),
        "si": nets[0].fcE.fcLayer1.linear.weight,
        "omega": nets[0].classifier__linear__weight_SI_omega,
        "ewc": nets[1].fcE.fcLayer2.linear.weight,
        "fisher": nets[1].classifier__linear__weight_EWC_estimated_fisher1,
        "lwf": nets[2].classifier.linear.bias,
        "kfac": nets[4].classifier.linear.weight,
        "conv": nets[3].convE.convLayer1.conv.weight,
    }
