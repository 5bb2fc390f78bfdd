import mindspore


class TorchAdam(mindspore.experimental.optim.AdamW):
    """Adam as torch defines it: MindSpore's AdamW, with the weight decay as a part of the gradient."""

    def __init__(
        self,
        params,
        lr=1e-3,
        betas=(0.9, 0.999),
        eps=1e-8,
        weight_decay=0,
        amsgrad=False,
        *,
        foreach=None,
        maximize=False,
        capturable=False,
        differentiable=False,
        fused=None,
        decoupled_weight_decay=False,
    ):
        betas = tuple(float(beta) for beta in betas)
        params = torch_named_apart(params)
        super().__init__(params, lr, betas, float(eps), weight_decay, amsgrad, maximize=maximize)
        self.decoupled_weight_decay = decoupled_weight_decay

    def implementation(self, lr, weight_decay, beta1, beta2, amsgrad, eps, grads, start_id, end_id):
        if not self.decoupled_weight_decay:
            grads = self._decay_weight(weight_decay, self.parameters[start_id:end_id], grads)
            weight_decay = 0.0
        # Compiled, super() would be the base of a class that derives from this one.
        base = mindspore.experimental.optim.AdamW
        return base.implementation(
            self, lr, weight_decay, beta1, beta2, amsgrad, eps, grads, start_id, end_id
        )
