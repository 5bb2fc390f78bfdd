import os
import tempfile

import numpy as np
import scipy.io.wavfile
import torch

import flowtron as networks
import train as program
from data import Data, DataCollate
from flowtron import Flowtron, FlowtronLoss, MaskedInstanceNorm1d
from radam import RAdam

RATE, MELS = 22050, 6
SIZES = dict(
    n_speakers=3, n_speaker_dim=4, n_text=185, n_text_dim=8, n_flows=2, n_mel_channels=MELS, n_attn_channels=5,
    n_hidden=7, n_lstm_layers=2, mel_encoder_n_hidden=6, n_components=0, mean_scale=0.0, fixed_gaussian=True,
    dummy_speaker_embedding=False, use_gate_layer=True, use_cumm_attention=False,
)  # fmt: skip
program.model_config = SIZES
program.data_config = dict(
    text_cleaners=["basic_cleaners"], p_arpabet=0.0, cmudict_path=None, sampling_rate=RATE, filter_length=256,
    hop_length=64, win_length=256, mel_fmin=0.0, mel_fmax=8000.0, max_wav_value=32768.0, use_attn_prior=True,
    attn_prior_threshold=1e-4, prior_cache_path="", betab_scaling_factor=1.0, keep_ambiguous=False,
)  # fmt: skip


class Words:
    """Stands for the dictionary of CMU, of which no file is there."""

    def __init__(self, path, keep_ambiguous=False):
        pass

    def lookup(self, word):
        return None


program.Data.__init__.__globals__["cmudict"].CMUDict = Words


def fewer_mels():
    """Data have as many bands as the small model."""
    stft = Data.__init__.__globals__["TacotronSTFT"]
    Data.__init__.__globals__["TacotronSTFT"] = lambda **sizes: stft(n_mel_channels=MELS, **sizes)


fewer_mels()


class Norms(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.tracked = MaskedInstanceNorm1d(4, affine=True, track_running_stats=True)
        self.plain = MaskedInstanceNorm1d(4)

    def forward(self, x, mask):
        return self.tracked(x, mask), self.plain(x, mask), self.plain(x)


def build():
    return (
        Flowtron(**SIZES),
        Flowtron(**{**SIZES, "use_cumm_attention": True, "n_flows": 1, "dummy_speaker_embedding": True}),
        Norms(),
    )


def init():
    torch.manual_seed(1)
    net = Flowtron(**{**SIZES, "n_hidden": 40, "n_attn_channels": 30})
    return {
        "embedding": net.embedding.weight,
        "query": net.flows[0].attention_layer.query.linear_layer.weight,
        "lstm": net.flows[0].lstm.weight_ih_l0,
        "zeros": net.flows[1].ar_step.conv.weight,
    }


def write_files(folder):
    for split, lengths in (("train", (1500, 1100, 1300)), ("val", (1200, 900))):
        lines = []
        for index, length in enumerate(lengths):
            time = np.arange(length) / RATE
            wave = 0.4 * np.sin(2 * np.pi * (200 + 130 * index) * time) + 0.2 * np.sin(2 * np.pi * 1300 * time)
            path = os.path.join(folder, f"{split}_{index}.wav")
            scipy.io.wavfile.write(path, RATE, (wave * 32767).astype("int16"))
            lines.append(f"{path}|{'some words are said'[: 6 + 4 * index]}|{10 * index}")
        with open(os.path.join(folder, f"{split}.txt"), "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")


def batch():
    with tempfile.TemporaryDirectory() as folder:
        write_files(folder)
        files = ("training_files", "validation_files")
        settings = {key: value for key, value in program.data_config.items() if key not in files}
        data = Data(os.path.join(folder, "train.txt"), **settings)
        return DataCollate(use_attn_prior=True)([data[index] for index in range(3)])


def forward(net, summed, norms):
    for one in (net, summed, norms):
        one.eval()
    mel, speakers, text, in_lens, out_lens, gate, prior = batch()
    rng = np.random.RandomState(3)
    with torch.no_grad():
        outputs = net(mel.clone(), speakers, text, in_lens, out_lens, prior.clone())
        x = torch.from_numpy(rng.randn(3, 4, 6).astype("float32"))
        mask = networks.get_mask_from_lengths(torch.LongTensor([6, 3, 4])).unsqueeze(1)
        residual = torch.from_numpy(rng.randn(1, MELS, 5).astype("float32") * 0.5)

        def tracked():
            norms.tracked.train()
            norms.tracked(x, mask)
            norms.tracked.eval()
            return [norms.tracked.running_mean, norms.tracked.running_var]

        return {
            "mel": mel,
            "prior": prior,
            "z": outputs[0],
            "log_s": outputs[1][1],
            "gate": outputs[2],
            "attention": outputs[3][0],
            "loss": lambda: FlowtronLoss(1.0, False, True, True, 0.01, -8)(outputs, gate, in_lens, out_lens),
            "summed": lambda: summed(mel.clone(), speakers, text, in_lens, out_lens)[0],
            "norms": lambda: norms(x, mask),
            "tracked": tracked,
            "inferred": lambda: net.infer(residual, speakers[:1], text[:1, :6])[0],
        }


def run(folder, **changes):
    settings = dict(
        n_gpus=1, rank=0, output_directory=os.path.join(folder, "out"), epochs=3, optim_algo="RAdam", learning_rate=5e-3,
        weight_decay=1e-3, sigma=1.0, iters_per_checkpoint=2, batch_size=3, seed=1, checkpoint_path="", ignore_layers=[],
        include_layers=None, finetune_layers=[], warmstart_checkpoint_path="", with_tensorboard=False, grad_clip_val=1,
        gate_loss=True, fp16_run=False, use_ctc_loss=True, ctc_loss_weight=0.1, blank_logprob=-8, ctc_loss_start_iter=1,
    )  # fmt: skip
    program.train(**{**settings, **changes})


def train(net, summed, norms):
    results, losses = {}, []

    class Losses(FlowtronLoss):
        def forward(self, *given, **named):
            parts = super().forward(*given, **named)
            losses.extend(part.item() for part in parts)
            return parts

    program.FlowtronLoss = Losses
    # The first is the one that is trained; others are made to be saved.
    made = [net]
    program.Flowtron = lambda **sizes: made.pop() if made else Flowtron(**sizes)
    with tempfile.TemporaryDirectory() as folder:
        write_files(folder)
        program.data_config["training_files"] = os.path.join(folder, "train.txt")
        program.data_config["validation_files"] = os.path.join(folder, "val.txt")
        # One batch holds all of the sounds, sorted: how they are shuffled does not matter.
        run(folder)
        results["query"] = net.flows[0].attention_layer.query.linear_layer.weight.detach().clone()
        results["embedding"] = net.embedding.weight.detach().clone()
        made.append(net)
        run(folder, checkpoint_path=os.path.join(folder, "out", "model_2"), epochs=5, optim_algo="RAdam")
        made.append(net)
        run(
            folder,
            warmstart_checkpoint_path=os.path.join(folder, "out", "model_2"),
            epochs=1,
            optim_algo="Adam",
            finetune_layers=["speaker_embedding.weight", "flows.0.conv.weight"],
        )

    optimizer = RAdam([*summed.parameters(), *norms.parameters()], lr=1e-2)
    criterion = FlowtronLoss(1.0, False, True)
    rng = np.random.RandomState(5)
    mask = networks.get_mask_from_lengths(torch.LongTensor([6, 3, 4])).unsqueeze(1)
    for step in range(3):
        mel, speakers, text, in_lens, out_lens, gate, prior = batch()
        x = torch.from_numpy(rng.randn(3, 4, 6).astype("float32"))
        optimizer.zero_grad()
        nll, gate_loss, _ = criterion(summed(mel, speakers, text, in_lens, out_lens), gate, in_lens, out_lens)
        loss = nll + gate_loss + (norms(x, mask)[0] ** 3).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    results.update(
        losses=losses,
        conv=net.flows[1].ar_step.conv.weight,
        lstm=net.flows[0].lstm.weight_hh_l1,
        speaker=net.speaker_embedding.weight,
        summed=summed.flows[0].attn_cond_layer.location_conv_hidden.conv.weight,
        norm=norms.tracked.weight,
        mean=norms.tracked.running_mean,
    )
    return results
