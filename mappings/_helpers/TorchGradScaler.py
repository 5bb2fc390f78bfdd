class TorchGradScaler:
    """PyTorch's scaler of losses where nothing is computed in half precision: it leaves everything as it is."""

    def __init__(self, *args, **kwargs):
        pass

    def scale(self, outputs):
        return outputs

    def unscale_(self, optimizer):
        pass

    def step(self, optimizer, *args, **kwargs):
        return optimizer.step(*args, **kwargs)

    def update(self, new_scale=None):
        pass

    def is_enabled(self):
        return False

    def get_scale(self):
        return 1.0

    def state_dict(self):
        return {}

    def load_state_dict(self, state_dict):
        pass
