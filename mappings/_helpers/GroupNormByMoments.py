import mindspore


class GroupNormByMoments(mindspore.nn.GroupNorm):
    """mindspore.nn.GroupNorm, written so that it can be differentiated twice in a graph."""

    def construct(self, x):
        return group_norm_by_moments(x, self.num_groups, self.gamma, self.beta, self.eps)
