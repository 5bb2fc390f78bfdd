import argparse
import copy
import json
import os

import numpy as np
import torch
import yaml
from torch.utils.data import DataLoader

import train as script
from dataset import Dataset, TextDataset
from evaluate import evaluate
from hifigan import AttrDict, Generator
from model import FastSpeech2, FastSpeech2Loss, ScheduledOptim
from utils.model import get_param_num, vocoder_infer
from utils.tools import to_device

device = torch.device("cpu")
configs = []
for name in ("preprocess", "model", "train"):
    with open(f"config/LJSpeech/{name}.yaml", encoding="utf-8") as f:
        configs.append(yaml.load(f, Loader=yaml.FullLoader))
preprocess_config, model_config, train_config = configs
model_config["transformer"].update(
    encoder_layer=1, encoder_hidden=16, decoder_layer=2, decoder_hidden=16, conv_filter_size=24,
    encoder_dropout=0.0, decoder_dropout=0.0,
)  # fmt: skip
model_config["variance_predictor"].update(filter_size=16, dropout=0.0)
model_config["variance_embedding"]["n_bins"] = 8
model_config.update(max_seq_len=40, multi_speaker=True)
train_config["optimizer"].update(batch_size=2, grad_acc_step=2, warm_up_step=10, anneal_steps=[2])
train_config["step"].update(total_step=6, log_step=1, synth_step=10**6, val_step=10**6, save_step=4)
train_config["path"] = {name: name for name in ("ckpt_path", "log_path", "result_path")}
frames_config, frames_model_config = copy.deepcopy(preprocess_config), copy.deepcopy(model_config)
for quantity in ("pitch", "energy"):
    frames_config["preprocessing"][quantity]["feature"] = "frame_level"
frames_model_config["variance_embedding"].update(pitch_quantization="log", energy_quantization="log")

folder = preprocess_config["path"]["preprocessed_path"]
rng = np.random.RandomState(0)
for name in ("mel", "pitch", "energy", "duration"):
    os.makedirs(f"{folder}/{name}", exist_ok=True)
with open(f"{folder}/speakers.json", "w", encoding="utf-8") as f:
    json.dump({"LJSpeech": 0, "other": 1}, f)
with open(f"{folder}/stats.json", "w", encoding="utf-8") as f:
    json.dump({"pitch": [0.5, 3.0, 0.0, 1.0], "energy": [0.2, 2.0, 0.0, 1.0]}, f)
PHONES = "{HH AW1 S S T AH0 N DH AH0}"


def utterance(name, length, rng):
    duration = rng.randint(1, 4, length)
    np.save(f"{folder}/duration/LJSpeech-duration-{name}.npy", duration)
    np.save(f"{folder}/mel/LJSpeech-mel-{name}.npy", rng.randn(duration.sum(), 80))
    np.save(f"{folder}/pitch/LJSpeech-pitch-{name}.npy", rng.uniform(0, 4, length))
    np.save(f"{folder}/energy/LJSpeech-energy-{name}.npy", rng.uniform(0, 2, length).astype("float32"))
    phones = "{" + " ".join(PHONES[1:-1].split()[:length]) + "}"
    return f"{name}|LJSpeech|{phones}|a text"


with open(f"{folder}/train.txt", "w", encoding="utf-8") as f:
    # The loader shuffles, and one utterance stays out of an epoch: so they are alike.
    f.write("\n".join(utterance(f"t{index}", 7, np.random.RandomState(1)) for index in range(9)) + "\n")
with open(f"{folder}/val.txt", "w", encoding="utf-8") as f:
    f.write("\n".join(utterance(f"v{index}", 9 - index, rng) for index in range(5)) + "\n")


def build():
    vocoder = Generator(
        AttrDict(
            resblock="1", upsample_rates=[4, 2], upsample_kernel_sizes=[8, 4], upsample_initial_channel=16,
            resblock_kernel_sizes=[3, 7], resblock_dilation_sizes=[[1, 3, 5], [1, 3, 5]],
        )
    )  # fmt: skip
    return (
        FastSpeech2(preprocess_config, model_config),
        FastSpeech2(frames_config, frames_model_config),
        vocoder,
    )


def init():
    torch.manual_seed(1)
    model = FastSpeech2(preprocess_config, model_config)
    return {
        "postnet": model.postnet.convolutions[1][0].conv.weight,
        "attention": model.encoder.layer_stack[0].slf_attn.w_qs.weight,
        "embedding": model.encoder.src_word_emb.weight,
    }


def batches(sort):
    dataset = Dataset("val.txt", preprocess_config, train_config, sort=sort, drop_last=False)
    loader = DataLoader(dataset, batch_size=4, shuffle=False, collate_fn=dataset.collate_fn)
    return [to_device(batch, device) for group in loader for batch in group]


def forward(model, frames_model, vocoder):
    for net in (model, frames_model, vocoder):
        net.eval()
    batch = batches(True)[0]
    texts = TextDataset(f"{folder}/val.txt", preprocess_config)
    spoken = to_device(texts.collate_fn([texts[0], texts[3]]), device)
    mels = torch.from_numpy(np.random.RandomState(2).randn(2, 80, 12).astype("float32"))
    return {
        "batch": [part for part in batch[2:] if isinstance(part, torch.Tensor)],
        "taught": lambda: list(model(*batch[2:])),
        "loss": lambda: list(FastSpeech2Loss(preprocess_config, model_config)(batch, model(*batch[2:]))),
        # as it is spoken: durations are predicted
        "spoken": lambda: list(model(*spoken[2:], p_control=1.1, e_control=0.9, d_control=4.0)),
        "parameters": [get_param_num(model)],
        "audio": lambda: vocoder(mels),
        "waves": lambda: list(
            vocoder_infer(mels, vocoder, model_config, preprocess_config, lengths=[64, 40])
        ),
    }


def train(model, frames_model, vocoder):
    model.eval()  # the postnet has a dropout of its own, and main leaves the mode alone
    scheduled = ScheduledOptim(model, train_config, model_config, 0)
    script.get_model = lambda args, configs, device, train: (model, scheduled)
    script.get_vocoder = lambda config, device: None
    if os.path.exists("log_path/train/log.txt"):
        os.remove("log_path/train/log.txt")
    try:
        script.main(argparse.Namespace(restore_step=0), configs)
    except SystemExit:
        pass
    with open("log_path/train/log.txt", encoding="utf-8") as f:
        lines = [[float(part.split()[-1]) for part in line.split(", ")[1:]] for line in f]
    message = evaluate(model, 6, configs)

    frames_model.eval()
    criterion = FastSpeech2Loss(frames_config, frames_model_config)
    optimizer = ScheduledOptim(frames_model, train_config, frames_model_config, 0)
    losses = []
    for batch in batches(False)[:3]:
        longest = batch[6].shape[1]
        batch = list(batch)
        batch[9], batch[10] = (torch.linspace(0.3, 4.0, longest).repeat(len(batch[0]), 1) for _ in range(2))
        total_loss = criterion(batch, frames_model(*batch[2:]))[0]
        total_loss.backward()
        torch.nn.utils.clip_grad_norm_(
            frames_model.parameters(), train_config["optimizer"]["grad_clip_thresh"]
        )
        optimizer.step_and_update_lr()
        optimizer.zero_grad()
        losses.append(total_loss.item())
    return {
        "logged": np.array(lines),
        "validation": [float(part.split()[-1]) for part in message.split(", ")[1:]],
        "lr": [scheduled._optimizer.param_groups[0]["lr"]],
        "weight": model.mel_linear.weight,
        "embedding": model.encoder.src_word_emb.weight,
        "checkpoint": torch.load("ckpt_path/4.pth.tar", weights_only=False)["model"]["mel_linear.bias"],
        "frames": losses,
        "frames_weight": frames_model.variance_adaptor.pitch_embedding.weight,
    }
