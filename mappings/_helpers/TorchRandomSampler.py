class TorchRandomSampler(TorchSampler):
    """The indices of a data set in a random order, or drawn again and again."""

    def __init__(self, data_source, replacement=False, num_samples=None, generator=None):
        self.data_source = data_source
        self.replacement = replacement
        self.wanted = num_samples
        self.generator = generator
        if not self.num_samples:
            raise ValueError("num_samples should be a positive integer value, but got num_samples=0")

    num_samples = property(lambda self: len(self.data_source) if self.wanted is None else self.wanted)

    def __iter__(self):
        every = range(len(self.data_source))
        source = torch_random(self.generator)
        if self.replacement:
            # One at a time: scripts that never end a run ask for billions.
            for _ in range(self.num_samples):
                yield source.choice(every)
            return
        left = self.num_samples
        while left > 0:
            yield from source.sample(every, min(left, len(every)))
            left -= len(every)

    def __len__(self):
        return self.num_samples
