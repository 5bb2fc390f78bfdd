class TorchSymBool(int):
    """PyTorch's truth value that is not known yet; in MindSpore they are plain, so that none is one of these."""
