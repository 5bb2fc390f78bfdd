class TorchInterval:
    """PyTorch's Interval: from when to when, in microseconds."""

    def __init__(self, start, end):
        self.start = start
        self.end = end

    def elapsed_us(self):
        return self.end - self.start
