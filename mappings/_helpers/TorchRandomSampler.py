class TorchRandomSampler:
    """The indices of a data set in a random order, or drawn again and again."""

    def __init__(self, data_source, replacement=False, num_samples=None, generator=None):
        self.data_source = data_source
        self.replacement = replacement
        self.wanted = num_samples
        self.random = None if generator is None else torch_random(generator)

    num_samples = property(lambda self: len(self.data_source) if self.wanted is None else self.wanted)

    def __iter__(self):
        every = range(len(self.data_source))
        source = self.random or torch_random()
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
