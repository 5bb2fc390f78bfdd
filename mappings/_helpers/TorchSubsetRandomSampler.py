class TorchSubsetRandomSampler:
    """Some indices in a random order."""

    def __init__(self, indices, generator=None):
        self.indices = indices
        self.random = None if generator is None else torch_random(generator)

    def __iter__(self):
        return iter((self.random or torch_random()).sample(list(self.indices), len(self.indices)))

    def __len__(self):
        return len(self.indices)
