class TorchFormattedTimes:
    """PyTorch's FormattedTimesMixin: means of what was counted, and times as texts."""

    cpu_time = property(lambda self: self.cpu_time_total / self.count if self.count else 0.0)
    device_time = property(lambda self: self.device_time_total / self.count if self.count else 0.0)
    cuda_time = device_time

    def __getattr__(self, name):
        if not name.endswith("_str"):
            raise AttributeError(name)
        microseconds = getattr(self, name[:-4])
        for size, unit in ((1e6, "s"), (1e3, "ms")):
            if microseconds >= size:
                return f"{microseconds / size:.3f}{unit}"
        return f"{microseconds:.3f}us"
