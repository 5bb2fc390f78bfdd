from types import SimpleNamespace

import numpy as np
import torch
from torch import nn, optim

import train_student
from crd.criterion import CRDLoss
from distiller_zoo import (
    FSP,
    PKT,
    ABLoss,
    Attention,
    Correlation,
    DistillKL,
    FactorTransfer,
    HintLoss,
    NSTLoss,
    RKDLoss,
    Similarity,
    VIDLoss,
)
from helper.loops import train_distill, train_vanilla, validate
from helper.pretrain import init as init_student
from helper.util import adjust_learning_rate
from models import model_dict
from models.util import Connector, ConvReg, LinearEmbed, Paraphraser, Translator

CLASSES, BATCH, ROWS = 10, 4, 8
METHODS = (
    "kd", "hint", "crd", "attention", "nst", "similarity", "rkd", "pkt", "correlation", "vid", "abound", "factor", "fsp",
)  # fmt: skip


def options(distill="kd"):
    return SimpleNamespace(
        distill=distill,
        model_s="resnet8",
        learning_rate=0.01,
        lr_decay_epochs=[1, 4],
        lr_decay_rate=0.1,
        weight_decay=5e-4,
        momentum=0.9,
        gamma=1,
        alpha=0.9,
        beta=0.8,
        hint_layer=2,
        feat_dim=16,
        nce_k=6,
        nce_t=0.07,
        nce_m=0.5,
        s_dim=64,
        t_dim=256,
        n_data=ROWS,
        print_freq=1,
        init_epochs=1,
    )


def images(seed, rows=BATCH):
    return torch.from_numpy(np.random.RandomState(seed).randn(rows, 3, 32, 32).astype("float32"))


def methods_own(distill, feat_s, feat_t):
    """What main() of train_student.py makes for a method: its criterion and its layers."""
    opt = options(distill)
    if distill == "kd":
        return DistillKL(4), []
    if distill == "hint":
        return HintLoss(), [ConvReg(feat_s[opt.hint_layer].shape, feat_t[opt.hint_layer].shape)]
    if distill == "crd":
        criterion = CRDLoss(opt)
        return criterion, [criterion.embed_s, criterion.embed_t]
    if distill == "correlation":
        return Correlation(), [
            LinearEmbed(feat_s[-1].shape[1], opt.feat_dim),
            LinearEmbed(feat_t[-1].shape[1], opt.feat_dim),
        ]
    if distill == "vid":
        widths = [(s.shape[1], t.shape[1]) for s, t in zip(feat_s[1:-1], feat_t[1:-1])]
        return nn.ModuleList([VIDLoss(s, t, t) for s, t in widths]), []
    if distill == "abound":
        return ABLoss(3), [Connector([f.shape for f in feat_s[1:-1]], [f.shape for f in feat_t[1:-1]])]
    if distill == "factor":
        return FactorTransfer(), [
            Translator(feat_s[-2].shape, feat_t[-2].shape),
            Paraphraser(feat_t[-2].shape),
        ]
    if distill == "fsp":
        return FSP([f.shape for f in feat_s[:-1]], [f.shape for f in feat_s[:-1]]), []
    plain = {"attention": Attention, "nst": NSTLoss, "similarity": Similarity, "rkd": RKDLoss, "pkt": PKT}
    return plain[distill](), []


criteria = {}


def build():
    """The teachers, a student of each method, and the methods' own layers."""
    teacher, narrow_teacher = (
        model_dict["resnet8x4"](num_classes=CLASSES),
        model_dict["resnet8"](num_classes=CLASSES),
    )
    teacher.eval(), narrow_teacher.eval()
    nets = [teacher, narrow_teacher]
    for distill in METHODS:
        student = model_dict["resnet8"](num_classes=CLASSES)
        student.eval()
        feat_s, _ = student(images(0, 2), is_feat=True)
        feat_t, _ = teacher(images(0, 2), is_feat=True)
        criteria[distill], layers = methods_own(distill, feat_s, feat_t)
        nets.append(nn.ModuleList([student, *layers, criteria[distill]]))
    return tuple(nets)


def forward(teacher, narrow_teacher, *students):
    feat, logit = teacher(images(1), is_feat=True, preact=True)
    outputs = {f"feature_{number}": value for number, value in enumerate(feat)}
    outputs["logit"] = logit
    outputs["student"] = students[0][0](images(1))
    outputs["paraphraser"] = students[METHODS.index("factor")][2](feat[-2])[1]
    return outputs


class Logger:
    def __init__(self):
        self.values = []

    def log_value(self, name, value, epoch):
        self.values.append(value)


def batches(distill):
    rng = np.random.RandomState(3)
    found = []
    for step in range(ROWS // BATCH):
        index = torch.arange(step * BATCH, (step + 1) * BATCH)
        batch = [images(10 + step), torch.from_numpy(rng.randint(0, CLASSES, BATCH)), index]
        if distill == "crd":
            others = torch.from_numpy(rng.randint(0, ROWS, (BATCH, options().nce_k)))
            batch.append(torch.cat([index.view(-1, 1), others], dim=1))
        found.append(batch)
    return found


def train_method(distill, teacher, nets, results):
    opt = options(distill)
    student, own, criterion_kd = nets[0], list(nets[1:-1]), criteria[distill]
    loader, logger = batches(distill), Logger()
    module_list, trainable_list = nn.ModuleList([student]), nn.ModuleList([student])
    if distill in ("abound", "factor", "fsp"):
        init_list = nn.ModuleList([own[-1]] if own else [])
        if distill != "factor":
            init_list.append(student.get_feat_modules())
        criterion = nn.MSELoss() if distill == "factor" else criterion_kd
        init_student(student, teacher, init_list, criterion, loader, logger, opt)
    for layer in own:
        module_list.append(layer)
    for layer in own[:1] if distill == "factor" else [] if distill == "abound" else own:
        trainable_list.append(layer)
    if distill == "vid":
        trainable_list.append(criterion_kd)
    criterion_list = nn.ModuleList([nn.CrossEntropyLoss(), DistillKL(4), criterion_kd])
    optimizer = optim.SGD(
        trainable_list.parameters(),
        lr=opt.learning_rate,
        momentum=opt.momentum,
        weight_decay=opt.weight_decay,
    )
    module_list.append(teacher)
    for epoch in (1, 2):
        adjust_learning_rate(epoch, opt, optimizer)
        _, loss = train_distill(epoch, loader, module_list, criterion_list, optimizer, opt)
        results[f"{distill}_loss_{epoch}"] = loss
    if logger.values:
        results[f"{distill}_init"] = logger.values[0]
    results[f"{distill}_fc"] = student.fc.weight.data.clone()
    results[f"{distill}_conv"] = student.layer2[0].conv1.weight.data.clone()


def train(teacher, narrow_teacher, *students):
    results = {}
    rng = np.random.RandomState(5)
    contrast = criteria["crd"].contrast
    for memory in (contrast.memory_v1, contrast.memory_v2):
        memory.copy_(torch.from_numpy(rng.uniform(-0.4, 0.4, tuple(memory.shape)).astype("float32")))
    for distill, nets in zip(METHODS, students):
        train_method(distill, narrow_teacher if distill == "fsp" else teacher, nets, results)
    opt = options()
    pairs = [batch[:2] for batch in batches("kd")]
    optimizer = optim.SGD(teacher.parameters(), lr=0.01, momentum=0.9, weight_decay=5e-4)
    _, results["vanilla_loss"] = train_vanilla(1, pairs, teacher, nn.CrossEntropyLoss(), optimizer, opt)
    accuracy, _, results["validation_loss"] = validate(pairs, teacher, nn.CrossEntropyLoss(), opt)
    results["teacher"] = teacher.conv1.weight.data.clone()
    results["memory"] = contrast.memory_v1.clone()
    results["normalisation"] = contrast.params.clone()
    assert train_student.get_teacher_name("save/wrn_40_2_vanilla/x.pth") == "wrn_40_2"
    return results
