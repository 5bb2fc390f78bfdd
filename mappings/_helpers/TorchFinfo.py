import mindspore


class TorchFinfo:
    """The limits of a floating point type of MindSpore, as PyTorch's finfo has them."""

    def __init__(self, type=mindspore.float32):
        known = [
            (mindspore.float16, 16, 2.0**-10, 2.0**-14, 65504.0),
            (mindspore.bfloat16, 16, 2.0**-7, 2.0**-126, 3.3895313892515355e38),
            (mindspore.float32, 32, 2.0**-23, 2.0**-126, 3.4028234663852886e38),
            (mindspore.float64, 64, 2.0**-52, 2.0**-1022, 1.7976931348623157e308),
        ]
        (row,) = [row for row in known if row[0] == type]
        self.dtype = str(row[0]).lower()
        self.bits, self.eps, self.tiny, self.max = row[1:]
        self.min, self.smallest_normal, self.resolution = -self.max, self.tiny, self.eps
