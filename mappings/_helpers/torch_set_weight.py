def torch_set_weight(layer, name, value):
    """Has a recurrent layer compute with a weight or bias that its attribute `name` is set to, which MindSpore keeps in
    lists of its own: programs set weights that have dropped out, or were normalised, before each step."""
    kind, _, place = name.rpartition("_l")
    if kind in ("weight_ih", "weight_hh", "bias_ih", "bias_hh") and value is not None:
        number, _, reverse = place.partition("_")
        at = int(number) * (2 if layer.bidirectional else 1) + (reverse == "reverse")
        kept = f"{kind[0]}{kind[-3:]}_list"
        weights = list(getattr(layer, kept))
        weights[at] = value
        object.__setattr__(layer, kept, tuple(weights))
