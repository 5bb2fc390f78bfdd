import sys

import numpy as np
import torch

sys.argv = [
    "train", "--s_init", "s", "--t_model", "t", "--data_name", "cifar10", "--t_name", "resnet20", "--s_name", "resnet20",
    "--kd_mode", "st", "--cuda", "0", "--print_freq", "1", "--lr", "0.01", "--save_root", "kept",
]  # fmt: skip

import kd_losses  # noqa: E402
import train_ft as factors  # noqa: E402
import train_kd as trainer  # noqa: E402
from network import define_paraphraser, define_translator, define_tsnet  # noqa: E402
from utils import count_parameters_in_MB, load_pretrained_model  # noqa: E402

PLAIN = (
    "st",
    "at",
    "fitnet",
    "nst",
    "pkt",
    "fsp",
    "rkd",
    "ab",
    "sp",
    "sobolev",
    "cc",
    "lwm",
    "irg",
    "logits",
)
CHANNELS = (16, 32, 64)


def build():
    snet, tnet = (define_tsnet("resnet20", 10, cuda=0) for _ in range(2))
    vid = torch.nn.ModuleList([kd_losses.VID(n, n, n, 5.0) for n in CHANNELS])
    ofd = torch.nn.ModuleList([kd_losses.OFD(n, n) for n in CHANNELS])
    afd = torch.nn.ModuleList([kd_losses.AFD(n, 1.0) for n in CHANNELS])
    paraphraser, translator = (
        define_paraphraser(64, 0.5, False, cuda=0),
        define_translator(64, 64, 0.5, True, cuda=0),
    )
    crd = kd_losses.CRD(64, 64, 8, 5, 0.07, 0.5, 9)
    return snet, tnet, vid, ofd, afd, paraphraser, translator, crd


def init():
    torch.manual_seed(1)
    net = define_tsnet("resnet20", 10, cuda=0).module
    return {
        "conv": net.res3[1].conv1.weight,
        "downsample": net.res2[0].ds[0].weight,
        "fc": net.fc.weight,
        "alpha": kd_losses.VID(4, 4, 4, 5.0).alpha,
        "memory": kd_losses.CRD(64, 64, 32, 5, 0.07, 0.5, 90).contrast.memory_s,
        "transposed": define_paraphraser(64, 0.5, False, cuda=0).module.decoder[3].weight,
    }


def images(seed, count=6):
    return torch.from_numpy(np.random.RandomState(seed).randn(count, 3, 32, 32).astype("float32"))


def labels(seed, count=6):
    return torch.from_numpy(np.random.RandomState(seed).randint(0, 10, count))


def criterion(mode):
    # After first sight: the weights of RKD, for features are so close that torch's own gradient is rounded by a thousandth.
    return {
        "logits": kd_losses.Logits, "st": lambda: kd_losses.SoftTarget(4.0), "at": lambda: kd_losses.AT(2.0),
        "fitnet": kd_losses.Hint, "nst": kd_losses.NST, "pkt": kd_losses.PKTCosSim, "fsp": kd_losses.FSP,
        "rkd": lambda: kd_losses.RKD(0.5, 1.0), "ab": lambda: kd_losses.AB(2.0), "sp": kd_losses.SP,
        "sobolev": kd_losses.Sobolev, "cc": lambda: kd_losses.CC(0.4, 2), "lwm": kd_losses.LwM,
        "irg": lambda: kd_losses.IRG(0.1, 5.0, 5.0), "dml": kd_losses.DML, "ft": kd_losses.FT,
    }[mode]()  # fmt: skip


def forward(snet, tnet, vid, ofd, afd, paraphraser, translator, crd):
    for one in (snet, tnet, vid, ofd, afd, paraphraser, translator, crd):
        one.eval()
    stem, rb1, rb2, rb3, feat, out = snet(images(1))
    others = tnet(images(1))

    def attacked():
        attacker = kd_losses.BSSAttacker(0.3, 2)
        target = tnet(images(1))[-1].max(1)[1]
        moved = attacker.attack(tnet, images(1), target, (target + 1) % 10)
        return [moved, kd_losses.BSS(3.0)(snet(moved)[-1], tnet(moved)[-1]), target]

    return {
        "stem": lambda: list(stem),
        "blocks": lambda: [*rb1, *rb2, *rb3],
        "out": lambda: [feat, out],
        "paraphrased": lambda: list(paraphraser(rb3[1])),
        "translated": lambda: translator(rb3[1]),
        "vid": lambda: vid[1](rb2[1], others[2][1]),
        "ofd": lambda: ofd[2](rb3[0], others[3][0]),
        "afd": lambda: afd[0](rb1[1], others[1][1]),
        "dml": lambda: criterion("dml")(out, others[-1]),
        "ft": lambda: criterion("ft")(rb3[1], others[3][1]),
        "rkd": lambda: criterion("rkd")(feat, others[4]),
        "irg": lambda: criterion("irg")(
            [rb2[1], rb3[1], feat, out], [others[2][1], others[3][1], others[4], others[5]]
        ),
        "attacked": attacked,
        "size": lambda: [float(count_parameters_in_MB(snet))],
    }


def distilled(mode, snet, tnet, criterion_kd, extra=()):
    """What main() does for a mode."""
    trainer.args.kd_mode = mode
    optimizer = torch.optim.SGD(
        [*snet.parameters(), *extra], lr=0.01, momentum=0.9, weight_decay=1e-4, nesterov=True
    )
    nets = {"snet": snet, "tnet": tnet}
    criterions = {"criterionCls": torch.nn.CrossEntropyLoss(), "criterionKD": criterion_kd}
    batches = [(images(10 + index), labels(20 + index)) for index in range(2)]
    if mode in ("fsp", "ab"):
        trainer.train_init(batches, nets, optimizer, criterions, 1)
    trainer.adjust_lr(optimizer, 120)
    trainer.train(batches, nets, optimizer, criterions, 1)
    return list(trainer.test(batches[:1], nets, criterions, 1))


def train(snet, tnet, vid, ofd, afd, paraphraser, translator, crd):
    results = {}
    begun = {name: value.detach().clone() for name, value in snet.state_dict().items()}
    tnet.eval()
    for param in tnet.parameters():
        param.requires_grad = False

    def again():
        load_pretrained_model(snet, {name: value.clone() for name, value in begun.items()})

    def run(mode, made, extra=()):
        again()
        if mode in ("sobolev", "lwm"):
            for param in tnet.parameters():
                param.requires_grad = True
        tested = distilled(mode, snet, tnet, made, extra)
        return [*tested, snet.module.res2[0].conv1.weight, snet.module.fc.bias, snet.module.bn1.running_mean]

    for mode in PLAIN:
        results[mode] = lambda mode=mode: run(mode, criterion(mode))
    for mode, several in (("vid", vid), ("ofd", ofd), ("afd", afd)):
        made = [None, *several]
        results[mode] = lambda mode=mode, made=made: run(
            mode, made, [p for one in made[1:] for p in one.parameters()]
        )
    results["alpha"] = lambda: vid[0].alpha
    results["connector"] = lambda: ofd[1].connector[0].weight

    def transferred():
        again()
        nets = {"snet": snet, "tnet": tnet, "paraphraser": paraphraser, "translator": translator}
        optimizer_para = torch.optim.SGD(
            paraphraser.parameters(), lr=0.01, momentum=0.9, weight_decay=1e-4, nesterov=True
        )
        optimizer = torch.optim.SGD(
            [*snet.parameters(), *translator.parameters()],
            lr=0.01,
            momentum=0.9,
            weight_decay=1e-4,
            nesterov=True,
        )
        batches = [(images(30 + index), labels(40 + index)) for index in range(2)]
        factors.train_para(batches, nets, optimizer_para, torch.nn.MSELoss(), 1)
        paraphraser.eval()
        for param in paraphraser.parameters():
            param.requires_grad = False
        criterions = {"criterionCls": torch.nn.CrossEntropyLoss(), "criterionKD": criterion("ft")}
        factors.train(batches, nets, optimizer, criterions, 1)
        tested = factors.test(batches[:1], nets, criterions)
        return [
            *tested,
            paraphraser.module.decoder[0].weight,
            translator.module.encoder[6].weight,
            snet.module.fc.weight,
        ]

    def contrasted():
        optimizer = torch.optim.SGD(crd.parameters(), lr=0.05)
        losses = []
        for step in range(3):
            rng = np.random.RandomState(step)
            feat_s, feat_t = (torch.from_numpy(rng.randn(4, 64).astype("float32")) for _ in range(2))
            idx = torch.from_numpy(rng.permutation(9)[:4])
            sample_idx = torch.cat([idx.unsqueeze(1), torch.from_numpy(rng.randint(0, 9, (4, 5)))], dim=1)
            loss = crd(feat_s, feat_t, idx, sample_idx)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss)
        return [
            *losses,
            crd.contrast.memory_s,
            crd.contrast.memory_t,
            crd.embed_s.linear.weight,
            crd.contrast.Z_t,
        ]

    results["transferred"] = transferred
    results["contrasted"] = contrasted
    return results
