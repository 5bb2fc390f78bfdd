import mindspore


class TorchAnchorGenerator(mindspore.nn.Cell):
    """torchvision's AnchorGenerator: boxes of several sizes and shapes at every place of each map."""

    def __init__(self, sizes=((128, 256, 512),), aspect_ratios=((0.5, 1.0, 2.0),)):
        super().__init__()
        if not isinstance(sizes[0], (list, tuple)):
            sizes = tuple((size,) for size in sizes)
        if not isinstance(aspect_ratios[0], (list, tuple)):
            aspect_ratios = (aspect_ratios,) * len(sizes)
        self.sizes = sizes
        self.aspect_ratios = aspect_ratios
        self.cell_anchors = [self.generate_anchors(*pair) for pair in zip(sizes, aspect_ratios)]

    def generate_anchors(self, scales, aspect_ratios, dtype=mindspore.float32, device=None):
        shapes = [(size / ratio**0.5, size * ratio**0.5) for ratio in aspect_ratios for size in scales]
        boxes = [(round(-w / 2), round(-h / 2), round(w / 2), round(h / 2)) for w, h in shapes]
        return mindspore.Tensor(boxes, dtype)

    def num_anchors_per_location(self):
        return [len(sizes) * len(ratios) for sizes, ratios in zip(self.sizes, self.aspect_ratios)]

    def grid_anchors(self, grid_sizes, strides):
        anchors = []
        for (height, width), (down, right), boxes in zip(grid_sizes, strides, self.cell_anchors):
            y, x = mindspore.ops.meshgrid(
                mindspore.ops.arange(height) * int(down),
                mindspore.ops.arange(width) * int(right),
                indexing="ij",
            )
            moves = mindspore.ops.stack((x, y, x, y), -1).reshape(-1, 1, 4).astype(boxes.dtype)
            anchors.append((moves + boxes).reshape(-1, 4))
        return anchors

    def construct(self, image_list, feature_maps):
        sizes = [feature.shape[-2:] for feature in feature_maps]
        height, width = image_list.tensors.shape[-2:]
        strides = [(height // size[0], width // size[1]) for size in sizes]
        anchors = mindspore.ops.cat(self.grid_anchors(sizes, strides))
        return [anchors for _ in image_list.image_sizes]
