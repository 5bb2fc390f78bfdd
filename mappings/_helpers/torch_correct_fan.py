def torch_correct_fan(tensor, mode):
    """How many values go into (`fan_in`) or out of (`fan_out`) an element of a weight, as torch.nn.init counts them."""
    fans = dict(zip(("fan_in", "fan_out"), torch_fan_in_and_fan_out(tensor)))
    if mode.lower() not in fans:
        raise ValueError(f"{mode!r} is neither fan_in nor fan_out")
    return fans[mode.lower()]
