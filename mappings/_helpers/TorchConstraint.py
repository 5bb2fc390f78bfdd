class TorchConstraint:
    """What values are allowed, as PyTorch's constraints: a check to truth values, and how many axes make one value."""

    def __init__(self, check, event_dim=0, is_discrete=False):
        self.check, self.event_dim, self.is_discrete = check, event_dim, is_discrete
