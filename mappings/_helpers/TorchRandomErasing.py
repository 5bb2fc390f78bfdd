import math

import mindspore
import numpy


class TorchRandomErasing:
    """Fills a random rectangle of a tensor with a number, one for each channel, or random ones."""

    def __init__(self, p=0.5, scale=(0.02, 0.33), ratio=(0.3, 3.3), value=0, inplace=False):
        self.p = p
        self.scale = scale
        self.ratio = ratio
        self.value = value
        self.inplace = inplace

    def __call__(self, img):
        import random  # in here: a file may call its function so (`from random import random`)

        if random.random() >= self.p:
            return img
        channels, height, width = img.shape[-3:]
        for _ in range(10):
            area = height * width * random.uniform(*self.scale)
            ratio = math.exp(random.uniform(math.log(self.ratio[0]), math.log(self.ratio[1])))
            tall, wide = round(math.sqrt(area * ratio)), round(math.sqrt(area / ratio))
            if 0 < tall < height and 0 < wide < width:
                top, left = random.randint(0, height - tall), random.randint(0, width - wide)
                if self.value == "random":
                    filled = numpy.random.randn(channels, tall, wide)
                else:
                    filled = numpy.zeros((channels, tall, wide)) + numpy.array(self.value).reshape((-1, 1, 1))
                erased = img if self.inplace else img.copy()
                erased[..., top : top + tall, left : left + wide] = mindspore.tensor(filled, img.dtype)
                return erased
        return img
