import mindspore


class TorchLBFGS(TorchOptimizer):
    """PyTorch's LBFGS: each step evaluates a closure several times, which clears the gradients, computes the loss and
    calls backward. The history of steps and of changes of the gradient stands for the inverse Hessian (Nocedal and
    Wright, Numerical Optimization, algorithms 7.4, 3.5 and 3.6)."""

    def __init__(
        self,
        params,
        lr=1,
        max_iter=20,
        max_eval=None,
        tolerance_grad=1e-7,
        tolerance_change=1e-9,
        history_size=100,
        line_search_fn=None,
    ):
        if line_search_fn not in (None, "strong_wolfe"):
            raise RuntimeError("only 'strong_wolfe' is supported")
        settings = dict(
            lr=lr, max_iter=max_iter, max_eval=max_iter * 5 // 4 if max_eval is None else max_eval
        )
        settings.update(tolerance_grad=tolerance_grad, tolerance_change=tolerance_change)
        super().__init__(params, {**settings, "history_size": history_size, "line_search_fn": line_search_fn})
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")

    def step(self, closure):
        with mindspore._no_grad():
            return self._descend(closure)

    def _descend(self, closure):
        group, state = self.param_groups[0], self.state[self.param_groups[0]["params"][0]]
        rate, smallest_change = float(group["lr"]), group["tolerance_change"]
        with TorchEnableGrad():
            loss = closure()
        value, gradient = float(loss), self._gradient()
        evaluations = 1
        state["func_evals"] = state.get("func_evals", 0) + 1
        if self._largest(gradient) <= group["tolerance_grad"]:
            return loss
        for iteration in range(1, group["max_iter"] + 1):
            state["n_iter"] = state.get("n_iter", 0) + 1
            direction = self._direction(state, gradient, group["history_size"])
            length = rate if state["n_iter"] > 1 else min(1.0, 1.0 / float(gradient.abs().sum())) * rate
            state.update(d=direction, prev_flat_grad=gradient, prev_loss=value)
            slope = self._product(gradient, direction)
            if slope > -smallest_change:
                state["t"] = length
                break
            before, used = value, 1
            if group["line_search_fn"] is None:
                self._move(self._values(), length, direction)
                if iteration < group["max_iter"]:  # the next step begins with an evaluation itself
                    value, gradient = self._evaluate(closure)
            else:
                start = (0.0, value, gradient, slope)
                (length, value, gradient, _), used = self._search(
                    closure, direction, length, start, smallest_change
                )
            state["t"] = length
            evaluations += used
            state["func_evals"] += used
            if (
                evaluations >= group["max_eval"]
                or self._largest(gradient) <= group["tolerance_grad"]
                or self._largest(direction * length) <= smallest_change
                or abs(value - before) < smallest_change
            ):
                break
        return loss

    def _direction(self, state, gradient, size):
        """Minus the gradient, times what the history says of the inverse Hessian."""
        if state["n_iter"] == 1:
            state.update(old_dirs=[], old_stps=[], ro=[], H_diag=1.0)
            return -gradient
        changes, steps, weights = state["old_dirs"], state["old_stps"], state["ro"]
        change, step = gradient - state["prev_flat_grad"], state["d"] * state["t"]
        curvature = self._product(change, step)
        if curvature > 1e-10:
            for kept, new in ((changes, change), (steps, step), (weights, 1.0 / curvature)):
                kept.append(new)
                del kept[:-size]
            state["H_diag"] = curvature / self._product(change, change)
        direction, shares = -gradient, []
        for change, step, weight in zip(changes[::-1], steps[::-1], weights[::-1]):
            shares.append(self._product(step, direction) * weight)
            direction = direction - change * shares[-1]
        direction = direction * state["H_diag"]
        for change, step, weight, share in zip(changes, steps, weights, shares[::-1]):
            direction = direction + step * (share - self._product(change, direction) * weight)
        return direction

    def _search(self, closure, direction, length, start, smallest_change, most=25):
        """A point along the direction that meets the strong Wolfe conditions, and the evaluations that it took. A point
        is the length of the way, the loss, the gradient and the slope along the direction."""
        values, evaluations = self._values(), 0
        _, first, _, slope = start

        def at(length):
            nonlocal evaluations
            evaluations += 1
            self._move(values, length, direction)
            value, gradient = self._evaluate(closure)
            return length, value, gradient, self._product(gradient, direction)

        def is_too_high(point):
            return point[1] > first + 1e-4 * point[0] * slope

        def is_flat(point):
            return abs(point[3]) <= -0.9 * slope

        # Go further, until two points have such a point between them.
        before, point, tries, found = start, at(length), 0, None
        while tries < most and found is None:
            is_past = is_too_high(point) or (tries > 1 and point[1] >= before[1])
            if not is_past and is_flat(point):
                found = [point]
            elif is_past or point[3] >= 0:
                found = [before, point]
            else:
                shortest, longest = point[0] + 0.01 * (point[0] - before[0]), point[0] * 10
                before, point = point, at(self._lowest(before, point, shortest, longest))
                tries += 1
        found = found or [start, point]

        # Narrow the two down; the first one is the lower.
        is_stuck = False
        low, high = sorted(range(len(found)), key=lambda i: found[i][1]) if len(found) > 1 else (0, 0)
        while len(found) > 1 and tries < most:
            left, right = sorted((found[0][0], found[1][0]))
            if (right - left) * self._largest(direction) < smallest_change:
                break
            length = self._lowest(found[0], found[1], left, right)
            margin = 0.1 * (right - left)
            if min(right - length, length - left) < margin:
                if is_stuck or length >= right or length <= left:
                    length = right - margin if abs(length - right) < abs(length - left) else left + margin
                    is_stuck = False
                else:
                    is_stuck = True
            else:
                is_stuck = False
            point = at(length)
            tries += 1
            if is_too_high(point) or point[1] >= found[low][1]:
                found[high] = point
                low, high = (0, 1) if found[0][1] <= found[1][1] else (1, 0)
                continue
            is_done = is_flat(point)
            if not is_done and point[3] * (found[high][0] - found[low][0]) >= 0:
                found[high] = found[low]
            found[low] = point
            if is_done:
                break
        self._move(values, found[low][0], direction)
        return found[low], evaluations

    @staticmethod
    def _lowest(one, other, shortest, longest):
        """Where the cubic through two points is lowest, between two lengths."""
        (a, value_a, _, slope_a), (b, value_b, _, slope_b) = sorted((one, other), key=lambda point: point[0])
        middle = slope_a + slope_b - 3 * (value_a - value_b) / (a - b)
        square = middle**2 - slope_a * slope_b
        root = square**0.5 if square >= 0 else 0.0
        bottom = slope_b - slope_a + 2 * root
        if not square >= 0 or bottom == 0:
            return (shortest + longest) / 2
        lowest = b - (b - a) * ((slope_b + root - middle) / bottom)
        return min(max(lowest, shortest), longest)

    def _evaluate(self, closure):
        with TorchEnableGrad():
            value = float(closure())
        return value, self._gradient()

    def _gradient(self):
        parts = []
        for one in self.param_groups[0]["params"]:
            parts.append((mindspore.ops.zeros_like(one) if one.grad is None else one.grad).reshape(-1))
        return mindspore.ops.cat(parts)

    def _values(self):
        return [one.copy() for one in self.param_groups[0]["params"]]

    def _move(self, values, length, direction):
        """Set the parameters to where they were, and so far along a direction."""
        place = 0
        for parameter, value in zip(self.param_groups[0]["params"], values):
            part = direction[place : place + value.size].reshape(value.shape)
            parameter[()] = value + part.astype(value.dtype) * length
            place += value.size

    @staticmethod
    def _product(one, other):
        return float((one * other).sum())

    @staticmethod
    def _largest(vector):
        return float(vector.abs().max())
