import mindspore


def torch_listed_once(params, rounds):
    """The parameters for an optimizer, each once in its group. Of one that is listed several times, as the weights of a
    part that two networks share, PyTorch takes as many steps at once: `rounds` gets the ids for each further step."""

    def once(listed):
        times, kept = {}, []
        for one in listed:
            time = times[id(one)] = times.get(id(one), 0) + 1
            if time == 1:
                kept.append(one)
            elif time - 2 < len(rounds):
                rounds[time - 2].add(id(one))
            else:
                rounds.append({id(one)})
        return kept

    params = [params] if isinstance(params, mindspore.Tensor) else list(params)
    if params and isinstance(params[0], dict):
        return [{**group, "params": once(group["params"])} for group in params]
    return once(params)
