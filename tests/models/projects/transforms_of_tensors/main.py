"""Transforms of torchvision behind ToTensor, where they get tensors, and before it; what is random is sure here."""

import numpy as np
import torch
import torchvision.transforms.functional as TF
from PIL import Image
from torchvision import transforms


def show(name, images):
    tensors = [one if torch.is_tensor(one) else transforms.ToTensor()(one) for one in images]
    print(name, *(f"{tuple(one.shape)} {one.double().mean().item()} {one[0, 0, 1].item()}" for one in tensors))


def main():
    image = Image.fromarray((np.random.RandomState(0).rand(6, 8, 3) * 255).astype(np.uint8))
    tensor = transforms.ToTensor()(image)
    for name, transform in {
        "flips": transforms.Compose(
            [transforms.RandomHorizontalFlip(1.0), transforms.RandomVerticalFlip(p=1.0)]
        ),
        "none": transforms.RandomHorizontalFlip(0.0),
        "crop": transforms.RandomCrop((10, 12), padding=2),
        "grey": transforms.RandomGrayscale(p=1.0),
        "apply": transforms.RandomApply([transforms.ColorJitter(brightness=(0.8, 0.8))], p=1.0),
        "choice": transforms.RandomChoice([transforms.RandomVerticalFlip(1.0)]),
        "order": transforms.RandomOrder([transforms.Grayscale(3), transforms.Pad(1)]),
    }.items():
        show(name, [transform(image), transform(tensor)])
    larger = transforms.RandomCrop((7, 9), pad_if_needed=True, padding_mode="reflect")
    print("larger", larger(image).size, *larger(tensor).shape)
    bytes_of = transforms.PILToTensor()(image)
    show("dtype", [transforms.ConvertImageDtype(torch.float32)(bytes_of), TF.convert_image_dtype(tensor, torch.uint8)])
    show("batch", [transforms.RandomHorizontalFlip(1.0)(torch.stack([tensor, tensor]))[1]])
    for adjust in (TF.adjust_brightness, TF.adjust_contrast, TF.adjust_saturation, TF.adjust_gamma):
        show(adjust.__name__.replace("torch_", ""), [adjust(image, 1.5), adjust(tensor, 0.5), adjust(bytes_of, 1.5)])
    show("hue", [TF.adjust_hue(image, 0.2), TF.adjust_hue(tensor, -0.3), TF.adjust_hue(bytes_of, 0.1)])


if __name__ == "__main__":
    main()
