"""getattr with a default catches AttributeError only; hasattr runs properties."""


class Net:
    depth = 3
    ran = []

    @property
    def broken(self):
        self.ran.append("broken")
        raise AttributeError("inside")

    @property
    def worse(self):
        self.ran.append("worse")
        raise ValueError("inside")


net = Net()
answer = (
    getattr(net, "depth"),
    getattr(net, "width", 8),
    getattr(net, "broken", "default"),
    hasattr(net, "broken"),
)
try:
    hasattr(net, "worse")
except ValueError:
    answer_through = "through"
answer_ran = Net.ran
answer_builtin = (
    getattr("ab", "upper")(),
    getattr([1], "missing", None),
    hasattr(3, "real"),
    getattr(Net, "ran") is net.ran,
)
