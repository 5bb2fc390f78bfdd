import numpy as np
import torch

from audio_data import WavenetDataset, mu_law_expansion, quantize_data
from optimizers import SGDNormalized
from wavenet_model import WaveNetModel
from wavenet_modules import constant_pad_1d, dilate
from wavenet_training import WavenetTrainer, generate_audio

classes = 16


def build():
    return tuple(
        WaveNetModel(
            layers=3,
            blocks=2,
            dilation_channels=6,
            residual_channels=6,
            skip_channels=12,
            end_channels=10,
            classes=classes,
            output_length=4,
            bias=True,
        )
        for _ in range(2)
    )


def sound(model):
    rng = np.random.RandomState(0)
    waves = [np.sin(np.arange(44) / (3 + i)) * 0.7 + 0.1 * rng.randn(44) for i in range(2)]
    np.savez("sound.npz", *[quantize_data(wave, classes).astype(np.uint8) for wave in waves])
    return WavenetDataset(
        dataset_file="sound.npz",
        item_length=model.receptive_field + model.output_length - 1,
        target_length=model.output_length,
        file_location=".",
        classes=classes,
        test_stride=5,
    )


def forward(model, other):
    model.eval()
    dataset = sound(model)
    inputs = torch.stack([dataset[i][0] for i in range(4)])
    noise = torch.from_numpy(np.random.RandomState(1).randn(2, 3, 7).astype("float32"))
    return {
        "inputs": inputs,
        "targets": dataset[2][1],
        "output": model(inputs),
        "dilated": lambda: dilate(noise, 4),
        "padded": lambda: constant_pad_1d(noise, 9, dimension=2, pad_start=True),
        "generated": lambda: torch.from_numpy(generate_audio(model, length=8, temperatures=[0.0])),
        "continued": lambda: torch.from_numpy(
            model.generate_fast(5, first_samples=torch.max(dataset[0][0], 0)[1], temperature=0.0)
        ),
        "expanded": lambda: torch.from_numpy(mu_law_expansion(np.linspace(-1, 1, 5), classes)),
        "parameters": lambda: torch.tensor(float(model.parameter_count())),
    }


def train(model, other):
    losses = []
    for net, optimizer, lr in ((model, torch.optim.Adam, 0.001), (other, SGDNormalized, 0.001)):
        dataset = sound(net)
        trainer = WavenetTrainer(
            net, dataset, optimizer=optimizer, lr=lr, gradient_clipping=1.0, snapshot_interval=2
        )
        trainer.logger.accumulated_loss = 0  # all trainers share one
        for epoch in range(3):
            trainer.train(batch_size=len(dataset), epochs=1, continue_training_at_step=epoch)
        losses.append(trainer.logger.accumulated_loss)
        losses.extend(trainer.validate())
    return {
        "losses": np.array(losses),
        "start": model.start_conv.weight,
        "end": model.end_conv_2.bias,
        "other": other.filter_convs[0].weight,
    }
