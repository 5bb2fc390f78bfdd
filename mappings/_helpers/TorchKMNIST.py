class TorchKMNIST(TorchMNIST):
    """The characters in the unpacked files below root/KMNIST/raw, as images of PIL; nothing is downloaded."""

    folder = "KMNIST"
    names = "o,ki,su,tsu,na,ha,ma,ya,re,wo"
