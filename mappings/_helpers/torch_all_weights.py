def torch_all_weights(recurrent):
    """PyTorch's `all_weights`: the parameters of a recurrent layer, one list for each layer and direction."""
    return [[getattr(recurrent, name) for name in names] for names in torch_weight_names(recurrent)]
