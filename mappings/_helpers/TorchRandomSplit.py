import math


def TorchRandomSplit(dataset, lengths, generator=None):
    """Parts of a data set at random; shares that sum up to 1 are numbers of samples, the rest dealt out in turn."""
    lengths = list(lengths)
    if math.isclose(sum(lengths), 1) and sum(lengths) <= 1:
        shares = [math.floor(len(dataset) * share) for share in lengths]
        for turn in range(len(dataset) - sum(shares)):
            shares[turn % len(shares)] += 1
        lengths = shares
    if sum(lengths) != len(dataset):
        raise ValueError("the lengths do not sum up to the length of the data set")
    order = torch_random(generator).sample(range(len(dataset)), len(dataset))
    ends = [sum(lengths[: place + 1]) for place in range(len(lengths))]
    return [TorchSubset(dataset, order[end - length : end]) for end, length in zip(ends, lengths)]
