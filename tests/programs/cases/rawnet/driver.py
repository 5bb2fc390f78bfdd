import os
import shutil
import sys

import numpy as np
import scipy.io.wavfile
import torch

here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "python")
sys.path.insert(0, os.path.join(here, "RawNet2"))
sys.path.append(os.path.join(here, "RawNet1", "PyTorch"))
sys.path.append(os.path.join(here, "RawNet2_modified"))

import dataloader
import train_RawNet2
from model_RawNet import RawNet
from model_RawNet2 import RawNet2
from models.model_RawNet2 import get_RawNet2

SAMPLES, SPEAKERS = 2437, 3


def read(path):
    rate, sound = scipy.io.wavfile.read(path)
    return sound / 32768, rate


dataloader.sf.read = read


def second():
    return {
        "nb_samp": SAMPLES, "in_channels": 1, "filts": [128, [128, 128], [128, 256], [256, 256]], "first_conv": 251,
        "gru_node": 16, "nb_gru_layer": 1, "nb_fc_node": 12, "nb_classes": SPEAKERS,
    }  # fmt: skip


def first():
    return {
        "in_channels": 1, "filts": [8, [8, 8], [8, 12]], "first_conv": 3, "blocks": [2, 3], "gru_node": 10,
        "nb_gru_layer": 2, "nb_fc_node": 6, "nb_classes": SPEAKERS,
    }  # fmt: skip


def build():
    modified = get_RawNet2(
        layers=[1, 1, 1, 2, 1, 2], nb_filters=[8, 8, 12, 12, 16, 16], nb_spk=SPEAKERS, code_dim=10, margin=0.1, scale=30
    )
    return RawNet2(second()), RawNet(first(), "cpu"), modified


def init():
    torch.manual_seed(2)
    modified = get_RawNet2([1] * 6, [32] * 6, 20, 40)
    net = RawNet2(second())
    net.apply(train_RawNet2.init_weights)
    return {
        "conv": modified.layer1[0].conv1.weight,
        "head": modified.class_head.W,
        "kaiming": net.block1[0].conv1.weight,
        "gru": net.gru.weight_ih_l0,
        "xavier": net.fc1_gru.weight,
    }


def array(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def forward(net, old, modified):
    for one in (net, old, modified):
        one.eval()
    sound = 0.3 * array(0, 3, SAMPLES)
    long = 0.3 * array(1, 3, 1, 2190)
    lines = []

    def summed():
        old.summary((1, 800), device="cpu", print_fn=lines.append)
        return [float(one.split(":")[1].replace(",", "")) for one in lines if one.startswith(("Total params", "Trainable"))]

    return {
        "classes": lambda: net(sound),
        "code": lambda: net(sound, is_test=True),
        "sinc": lambda: net.first_conv(sound.unsqueeze(1)),
        "normed": lambda: net.ln(sound),
        "old_classes": lambda: old(long[:, :, :1500]),
        "old_code": lambda: old(x=long[:, :, :1500], is_test=True),
        "summary": summed,
        "modified_code": lambda: modified(long, is_test=True),
        "margin": lambda: modified(long, label=torch.tensor([2, 0, 1])),
    }


def made_up():
    for folder in ("made1", "made2", "DNNs"):
        shutil.rmtree(folder, ignore_errors=True)
    for speaker in range(SPEAKERS):
        for number in range(2):
            for folder in ("made2/wav", "made1/dev_wav", "made1/eval_wav"):
                os.makedirs(f"{folder}/id{speaker}/one", exist_ok=True)
                length = SAMPLES + 700 * number if folder == "made1/eval_wav" else SAMPLES
                time = np.arange(length) / 16000
                sound = 0.4 * np.sin(2 * np.pi * (300 * (speaker + 1) + 20 * number) * time + speaker)
                sound += 0.1 * np.random.RandomState(10 * speaker + number).randn(length)
                scipy.io.wavfile.write(f"{folder}/id{speaker}/one/{number}.wav", 16000, (20000 * sound).astype("int16"))
    lines = []
    for speaker in range(SPEAKERS):
        other = (speaker + 1) % SPEAKERS
        lines.append(f"1 id{speaker}/one/0.wav id{speaker}/one/1.wav\n")
        lines.append(f"0 id{speaker}/one/0.wav id{other}/one/1.wav\n")
    for name in ("val_trial.txt", "veri_test.txt"):
        with open(f"made1/{name}", "w", encoding="utf-8") as file:
            file.writelines(lines)


def train(net, old, modified):
    made_up()
    torch.save(net.state_dict(), "begun.pt")
    names = [name for name, _ in net.named_parameters()]
    groups = [
        {"params": [p for n, p in net.named_parameters() if "bn" not in n]},
        {"params": [p for n, p in net.named_parameters() if "bn" in n], "weight_decay": 0},
    ]
    torch.save(torch.optim.Adam(groups, lr=0.0001, weight_decay=0.0001, amsgrad=True).state_dict(), "begun_opt.pt")
    trained = []
    evaluate = train_RawNet2.time_augmented_evaluate_model

    def watched(**given):
        trained.append(given["model"])
        return evaluate(**given)

    train_RawNet2.time_augmented_evaluate_model = watched
    # All recordings are in one batch, so that their order does not count.
    words = "train -name made -DB made1/ -DB_vox2 made2/ -bs 6 -epoch 3 -nb_worker 0 -load_model -load_model_dir begun.pt"
    words += f" -load_model_opt_dir begun_opt.pt -nb_samp {SAMPLES} -m_nb_samp {SAMPLES} -window_size 500"
    words += " -m_gru_node 16 -m_nb_fc_node 12"
    given, sys.argv = sys.argv, words.split()
    try:
        train_RawNet2.main()
    finally:
        sys.argv = given
        train_RawNet2.time_augmented_evaluate_model = evaluate
    results = {"count": len(names)}
    for epoch in range(3):
        with open(f"DNNs/made/results/eval_epoch{epoch}.txt", encoding="utf-8") as file:
            results[f"scores_{epoch}"] = [float(line.split()[0]) for line in file]
    last = trained[-1].module
    results["sinc"] = last.first_conv.band_hz_
    results["gru"] = last.gru.weight_hh_l0
    results["norm"] = last.block3[0].bn2.weight
    results["running"] = last.block5[0].bn1.running_mean
    results["bias"] = last.fc2_gru.bias
    kept = [name for name in sorted(os.listdir("DNNs/made/models")) if name.startswith("TA_0")]
    results["kept"] = torch.load("DNNs/made/models/" + kept[0])["fc1_gru.weight"]
    state = torch.load("DNNs/made/models/best_opt_eval.pt")
    results["groups"] = [group["weight_decay"] for group in state["param_groups"]]

    # The older net, by the training function of the newer one.
    one = train_RawNet2.argparse.Namespace(do_lr_decay=True, lr_decay="keras")
    optimizer = torch.optim.SGD(old.parameters(), lr=0.02, momentum=0.9, nesterov=True)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lr_lambda=lambda step: train_RawNet2.keras_lr_decay(step, 0.5))
    batches = [(array(seed, 4, 1, 900), torch.tensor([0, 1, 2, seed % 3])) for seed in range(3)]
    train_RawNet2.train_model(
        old, batches, optimizer, 1, one, torch.device("cpu"), scheduler, {"cce": torch.nn.CrossEntropyLoss()}
    )
    results["old_rate"] = optimizer.param_groups[0]["lr"]
    results["old_gru"] = old.gru.weight_ih_l1
    results["old_conv"] = old.first_conv.weight
    return results
