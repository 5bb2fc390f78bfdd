import mindspore


def torch_save_image(tensor, fp, format=None, **options):
    """torchvision's save_image: writes a batch of images as one, to a file of that name or an open one."""
    grid = torch_make_grid(tensor, **options).asnumpy()
    pixels = (grid * 255 + 0.5).clip(0, 255).astype("uint8").transpose(1, 2, 0)
    mindspore.dataset.vision.ToPIL()(pixels).save(fp, format=format)
