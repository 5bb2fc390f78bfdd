import mindspore


def torch_draw_uniform(parameters, bound):
    """Draws parameters again between -bound and bound; None stands for one that a layer does without."""
    uniform = mindspore.common.initializer.Uniform(bound)
    for one in parameters:
        if one is not None:
            one[()] = mindspore.common.initializer.initializer(uniform, one.shape, one.dtype).init_data()
