import mindspore


class TorchDistribution(metaclass=TorchDistributionKind):
    """PyTorch's Distribution, to ask for it and to derive from it. What no other base of a class has follows from what
    it defines itself."""

    def __init__(self, *arguments, **options):
        order = type(self).__mro__
        if order[order.index(TorchDistribution) + 1] is not object:  # a distribution that this one adds to
            super().__init__(*arguments, **options)
            return
        names = ("batch_shape", "event_shape", "validate_args")
        given = {**dict(zip(names, arguments)), **options}
        self._batch_shape = tuple(given.get("batch_shape", ()))
        self._event_shape = tuple(given.get("event_shape", ()))

    def __getattr__(self, name):
        if name in ("batch_shape", "event_shape") and f"_{name}" in vars(self):
            return vars(self)[f"_{name}"]
        if name == "stddev":
            return mindspore.ops.sqrt(self.variance)
        if name in ("has_rsample", "has_enumerate_support", "_validate_args"):
            return False
        methods = {
            "sample": lambda sample_shape=(): mindspore.ops.stop_gradient(self.rsample(sample_shape)),
            "sample_n": lambda n: self.sample((n,)),
            "perplexity": lambda: mindspore.ops.exp(self.entropy()),
            "_validate_sample": lambda value: None,
            "_extended_shape": lambda sample_shape=(): (*sample_shape, *self.batch_shape, *self.event_shape),
        }
        if name in methods:
            return methods[name]
        others = getattr(super(), "__getattr__", None)
        if others is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return others(name)
