class TorchCIFAR100(TorchCIFAR10):
    """The images in the unpacked files of torchvision below root, as images of PIL; nothing is downloaded."""

    base_folder = "cifar-100-python"
    train_list = [["train", None]]
    test_list = [["test", None]]
    meta = {"filename": "meta", "key": "fine_label_names"}
