"""An optimizer that does nothing."""


class Optimizer:
    def __init__(self, lr=0.1):
        self.lr = lr

    def step(self):
        pass
