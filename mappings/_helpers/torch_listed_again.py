def torch_listed_again(group, rounds):
    """The parameters of a group of an optimizer as they were listed for it, see torch_listed_once."""
    once = list(group["params"])
    return once + [one for ids in rounds for one in once if id(one) in ids]
