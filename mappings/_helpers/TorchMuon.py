import mindspore


class TorchMuon(mindspore.experimental.optim.optimizer.Optimizer):
    """PyTorch's Muon for matrices; it is called with the gradients, as the optimizers of mindspore.experimental."""

    def __init__(
        self,
        params,
        lr=1e-3,
        weight_decay=0.1,
        momentum=0.95,
        nesterov=True,
        ns_coefficients=(3.4445, -4.775, 2.0315),
        eps=1e-7,
        ns_steps=5,
        adjust_lr_fn=None,
    ):
        settings = dict(lr=lr, weight_decay=weight_decay, momentum=momentum, nesterov=nesterov)
        settings.update(
            ns_coefficients=ns_coefficients, eps=eps, ns_steps=ns_steps, adjust_lr_fn=adjust_lr_fn
        )
        super().__init__(torch_named_apart(params), settings)
        if any(parameter.ndim != 2 for parameter in self.parameters):
            raise ValueError("Muon only supports 2D parameters")
        self.momentum_buffers = self.parameters.clone(prefix="momentum_buffer", init="zeros")

    def construct(self, gradients):
        place = 0
        for number, group in enumerate(self.param_groups):
            written = group.get("lr")
            rate = written if isinstance(written, float) else float(self.lrs[number])
            for parameter in group["params"]:
                gradient, buffer = gradients[place], self.momentum_buffers[place]
                place += 1
                share = group["momentum"]
                buffer.set_data(buffer + (gradient - buffer) * (1 - share))
                update = gradient + (buffer - gradient) * share if group["nesterov"] else buffer
                step = rate * self.ratio(group["adjust_lr_fn"], parameter.shape)
                kept = parameter * (1 - rate * group["weight_decay"])
                parameter.set_data(kept - step * self.orthogonal(update, group).astype(parameter.dtype))
        return True

    @staticmethod
    def ratio(name, shape):
        rows, columns = shape
        if name == "match_rms_adamw":
            return 0.2 * max(rows, columns) ** 0.5
        return max(1, rows / columns) ** 0.5

    @staticmethod
    def orthogonal(update, group):
        def rounded(x):  # PyTorch keeps each step in bfloat16, which has no product of matrices on the CPU
            return x.astype(mindspore.bfloat16).astype(mindspore.float32)

        a, b, c = group["ns_coefficients"]
        is_tall = update.shape[0] > update.shape[1]
        x = rounded(update.T if is_tall else update)
        x = rounded(x / max(float(rounded((x * x).sum().sqrt())), group["eps"]))
        for _ in range(group["ns_steps"]):
            gram = rounded(x @ x.T)
            x = rounded(a * x + rounded(b * gram + c * (gram @ gram)) @ x)
        return x.T if is_tall else x
