import itertools

import mindspore


def TorchKlDivergence(p, q):
    """The Kullback-Leibler divergence of two distributions of the same class, as PyTorch's kl_divergence, by the
    formula that is registered for their classes before all others."""
    formulas = vars(TorchKlDivergence).get("formulas", {})
    for kinds in itertools.product(type(p).__mro__, type(q).__mro__):
        if kinds in formulas:
            return formulas[kinds](p, q)
    log = mindspore.ops.log
    by_parameters = {
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
    }
    by_formulas = ("Poisson", "TorchLaplace", "TorchCategorical", "TorchOneHotCategorical", "TorchDirichlet")
    by_formulas += ("TorchMultivariateNormal", "TorchIndependent")
    name, other = (
        next(
            (kind.__name__ for kind in type(one).__mro__ if kind.__name__ in (*by_parameters, *by_formulas)),
            "",
        )
        for one in (p, q)
    )
    if not name or other != name:
        raise NotImplementedError(f"{type(p).__name__} and {type(q).__name__}")
    if name in by_parameters:
        values = [getattr(q, parameter) for parameter in by_parameters[name]]
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
    inner = TorchKlDivergence(p.base_dist, q.base_dist)  # of independent ones
    for _ in range(p.reinterpreted_batch_ndims):
        inner = inner.sum(-1)
    return inner
