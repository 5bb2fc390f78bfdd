class TorchSubsetRandomSampler(TorchSampler):
    """Some indices in a random order."""

    def __init__(self, indices, generator=None):
        self.indices = indices
        self.generator = generator

    def __iter__(self):
        return iter(torch_random(self.generator).sample(list(self.indices), len(self.indices)))

    def __len__(self):
        return len(self.indices)
