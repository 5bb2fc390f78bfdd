import mindspore


class TorchCorrBlock(mindspore.nn.Cell):
    """torchvision's CorrBlock of RAFT: how much the places around a point agree with it, at several scales."""

    def __init__(self, *, num_levels=4, radius=4):
        super().__init__()
        self.num_levels = num_levels
        self.radius = radius
        self.out_channels = num_levels * (2 * radius + 1) ** 2
        self.corr_pyramid = []

    def build_pyramid(self, fmap1, fmap2):
        n, c, h, w = fmap1.shape
        volume = mindspore.ops.bmm(fmap1.reshape(n, c, -1).swapaxes(1, 2), fmap2.reshape(n, c, -1))
        self.corr_pyramid = [(volume / c**0.5).reshape(n * h * w, 1, h, w)]
        for _ in range(self.num_levels - 1):
            self.corr_pyramid.append(mindspore.ops.avg_pool2d(self.corr_pyramid[-1], 2, 2))

    def index_pyramid(self, centroids_coords):
        n, _, h, w = centroids_coords.shape
        steps = range(-self.radius, self.radius + 1)
        around = mindspore.Tensor([[[(i, j) for j in steps] for i in steps]], mindspore.float32)
        centre = centroids_coords.permute(0, 2, 3, 1).reshape(-1, 1, 1, 2)
        read = []
        for level, volume in enumerate(self.corr_pyramid):
            size = mindspore.Tensor([volume.shape[3] - 1, volume.shape[2] - 1], mindspore.float32)
            grid = 2 * (centre / 2**level + around) / size - 1
            read.append(mindspore.ops.grid_sample(volume, grid, align_corners=True).reshape(n, h, w, -1))
        return mindspore.ops.cat(read, -1).permute(0, 3, 1, 2)
