"""A generator network with a block function inside __init__ that is unpacked with stars."""

import numpy as np
import torch.nn as nn


class Generator(nn.Module):
    def __init__(self, latent=4, shape=(1, 3, 3)):
        super().__init__()

        def block(a, b, normalize=True):
            layers = [nn.Linear(a, b)]
            if normalize:
                layers.append(nn.BatchNorm1d(b, 0.8))
            layers.append(nn.LeakyReLU(0.2, inplace=True))
            return layers

        self.model = nn.Sequential(
            *block(latent, 8, normalize=False),
            *block(8, 16),
            nn.Linear(16, int(np.prod(shape))),
            nn.Tanh(),
        )


answer = Generator()
answer_length = len(answer.model)
answer_large = Generator(2, (3, 2, 2))
