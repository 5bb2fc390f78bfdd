import mindspore


def torch_set_dropout(layer, name, value, kept="dropout_op"):
    """Has a recurrent layer drop by what its attribute `dropout` is set to, which MindSpore reads once."""
    if name == "dropout" and hasattr(layer, kept):
        setattr(layer, kept, mindspore.nn.Dropout(p=float(value)).set_train(layer.training))
