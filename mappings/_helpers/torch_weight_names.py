def torch_weight_names(recurrent):
    """PyTorch's `_all_weights`: the names of the parameters of a recurrent layer, one list for each layer and
    direction."""
    kinds = ("weight_ih", "weight_hh", "bias_ih", "bias_hh", "weight_hr")
    directions = ("", "_reverse") if recurrent.bidirectional else ("",)
    places = [f"_l{layer}{direction}" for layer in range(recurrent.num_layers) for direction in directions]
    return [[kind + place for kind in kinds if kind + place in recurrent._params] for place in places]
