def torch_order_weights(recurrent):
    """Puts the parameters of a recurrent layer into PyTorch's order: layer by layer, not kind by kind."""
    layers = [name.rpartition("_l")[2] for name in recurrent._params]
    for layer in dict.fromkeys(layers):
        for name in [name for name in recurrent._params if name.rpartition("_l")[2] == layer]:
            recurrent._params.move_to_end(name)
