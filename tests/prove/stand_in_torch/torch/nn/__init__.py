"""Modules, and one layer."""


class Module:
    def __init__(self):
        self.training = True

    def __call__(self, *args):
        return self.forward(*args)

    def train(self, mode=True):
        self.training = mode
        return self


class Linear(Module):
    def __init__(self, inside, outside, bias=True):
        super().__init__()
        self.sizes = inside, outside

    def forward(self, x):
        return x
