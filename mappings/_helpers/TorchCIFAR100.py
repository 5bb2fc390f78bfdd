class TorchCIFAR100(TorchCIFAR10):
    """The images in the unpacked files of torchvision below root, as images of PIL; nothing is downloaded."""

    folder = "cifar-100-python"
    train_files = ("train",)
    test_files = ("test",)
    label_key = "fine_labels"
    meta_file, name_key = "meta", "fine_label_names"
