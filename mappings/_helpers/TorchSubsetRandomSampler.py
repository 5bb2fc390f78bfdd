import random


class TorchSubsetRandomSampler:
    """Some indices in a random order."""

    def __init__(self, indices, generator=None):
        self.indices = indices

    def __iter__(self):
        return iter(random.sample(list(self.indices), len(self.indices)))

    def __len__(self):
        return len(self.indices)
