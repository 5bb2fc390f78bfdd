class TorchFashionMNIST(TorchMNIST):
    """The clothes in the unpacked files below root/FashionMNIST/raw, as images of PIL; nothing is downloaded."""

    folder = "FashionMNIST"
    names = "T-shirt/top,Trouser,Pullover,Dress,Coat,Sandal,Shirt,Sneaker,Bag,Ankle boot"
