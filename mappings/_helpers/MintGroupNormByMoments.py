import mindspore


class MintGroupNormByMoments(mindspore.mint.nn.GroupNorm):
    """mindspore.mint.nn.GroupNorm, written so that it can be differentiated twice in a graph."""

    def construct(self, x):
        return group_norm_by_moments(x, self.num_groups, self.weight, self.bias, self.eps)
