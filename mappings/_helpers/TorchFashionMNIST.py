class TorchFashionMNIST(TorchMNIST):
    """The clothes in the unpacked files below root/FashionMNIST/raw, as images of PIL; nothing is downloaded."""

    folder = "FashionMNIST"
