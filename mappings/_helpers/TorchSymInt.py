class TorchSymInt(int):
    """PyTorch's size that is not known yet; in MindSpore sizes are plain numbers, so that none is one of these."""
