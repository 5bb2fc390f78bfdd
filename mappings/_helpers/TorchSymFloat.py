class TorchSymFloat(float):
    """PyTorch's number that is not known yet; in MindSpore numbers are plain, so that none is one of these."""
