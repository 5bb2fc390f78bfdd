"""An autoencoder whose decoder is the encoder's list of sizes backwards, with a last layer put in."""

import torch.nn as nn


class AutoEncoder(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        encoder, decoder = [], []
        for i, (a, b) in enumerate(zip(sizes[:-1], sizes[1:])):
            encoder += [nn.Linear(a, b), nn.ReLU()]
            decoder = [nn.Linear(b, a), nn.ReLU()] + decoder
        del encoder[-1]
        decoder[-1:] = [nn.Sigmoid()]
        self.encoder, self.decoder = map(lambda layers: nn.Sequential(*layers), (encoder, decoder))
        sizes.reverse()
        self.sizes = sizes


sizes = [8, 4, 2]
answer = AutoEncoder(sizes)
answer_sizes = (sizes, answer.sizes is sizes)
answer_order = [layer.out_features for layer in answer.decoder if isinstance(layer, nn.Linear)]
answer_lengths = (len(answer.encoder), len(answer.decoder), type(answer.decoder[-1]).__name__)
