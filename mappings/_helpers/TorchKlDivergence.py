import mindspore


def TorchKlDivergence(p, q):
    """The Kullback-Leibler divergence of two distributions of the same class, as PyTorch's kl_divergence."""
    derived = {"TorchBeta": "Beta", "TorchGamma": "Gamma"}
    name, other = (derived.get(type(one).__name__, type(one).__name__) for one in (p, q))
    if other != name:
        raise NotImplementedError(f"{name} and {other}")
    log = mindspore.ops.log
    parameters = {
        "Normal": ("mean", "sd"),
        "Bernoulli": ("probs",),
        "Geometric": ("probs",),
        "Exponential": ("rate",),
        "Gamma": ("concentration", "rate"),
        "Beta": ("concentration1", "concentration0"),
        "Cauchy": ("loc", "scale"),
        "Gumbel": ("loc", "scale"),
        "LogNormal": ("loc", "scale"),
        "Uniform": ("low", "high"),
    }.get(name)
    if parameters is not None:
        values = [getattr(q, parameter) for parameter in parameters]
        return p.kl_loss(name, *(value() if callable(value) else value for value in values))
    if name == "Poisson":
        return p.rate * (log(p.rate) - log(q.rate)) - (p.rate - q.rate)
    if name == "TorchLaplace":
        away, ratio = mindspore.ops.abs(p.loc - q.loc), p.scale / q.scale
        return away / q.scale + ratio * mindspore.ops.exp(-away / p.scale) - log(ratio) - 1
    if name == "TorchCategorical":
        terms = p.probs * (p.logits_of_classes - q.logits_of_classes)
        terms = mindspore.ops.masked_fill(terms, q.probs == 0, float("inf"))
        return mindspore.ops.masked_fill(terms, p.probs == 0, 0.0).sum(-1)
    if name == "TorchOneHotCategorical":
        return (p.probs * (p.logits - q.logits)).sum(-1)
    if name == "TorchDirichlet":
        a, b, total = p.concentration, q.concentration, p.concentration.sum(-1)
        terms = mindspore.ops.lgamma(b) - mindspore.ops.lgamma(a)
        terms += (a - b) * (mindspore.ops.digamma(a) - mindspore.ops.digamma(total).expand_dims(-1))
        return terms.sum(-1) + mindspore.ops.lgamma(total) - mindspore.ops.lgamma(b.sum(-1))
    if name == "TorchMultivariateNormal":
        away = (q.loc - p.loc).expand_dims(-1)
        outer = p.covariance_matrix + mindspore.ops.matmul(away, away.swapaxes(-1, -2))
        spread = (q.precision_matrix * outer).sum(-1).sum(-1)
        sizes = [log(mindspore.ops.diagonal(one.scale_tril, 0, -2, -1)).sum(-1) for one in (p, q)]
        return 0.5 * (spread - p.event_shape[0]) + sizes[1] - sizes[0]
    if name == "TorchIndependent":
        inner = TorchKlDivergence(p.base_dist, q.base_dist)
        for _ in range(p.reinterpreted_batch_ndims):
            inner = inner.sum(-1)
        return inner
    raise NotImplementedError(name)
