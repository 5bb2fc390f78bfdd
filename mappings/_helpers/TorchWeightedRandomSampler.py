class TorchWeightedRandomSampler(TorchSampler):
    """Indices drawn with given weights."""

    def __init__(self, weights, num_samples, replacement=True, generator=None):
        self.weights = [float(weight) for weight in weights]
        self.num_samples = num_samples
        self.replacement = replacement
        self.generator = generator

    def __iter__(self):
        every = range(len(self.weights))
        source = torch_random(self.generator)
        if self.replacement:
            return iter(source.choices(every, self.weights, k=self.num_samples))
        keys = [source.random() ** (1 / weight) if weight > 0 else -1.0 for weight in self.weights]
        return iter(sorted(every, key=keys.__getitem__, reverse=True)[: self.num_samples])

    def __len__(self):
        return self.num_samples
