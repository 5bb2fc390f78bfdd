import mindspore


class UpsampleByWeights(mindspore.nn.Upsample):
    """mindspore.nn.Upsample of pictures, written so that it can be differentiated twice."""

    def construct(self, x):
        return interpolate_by_weights(x, self.size, self.scale_factor, self.mode, self.align_corners)
