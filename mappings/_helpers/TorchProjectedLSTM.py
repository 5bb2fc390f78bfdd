import mindspore


class TorchProjectedLSTM(mindspore.nn.Cell):
    """torch.nn.LSTM with proj_size: each hidden state is projected before it is handed on."""

    def __init__(
        self,
        input_size,
        hidden_size,
        num_layers=1,
        bias=True,
        batch_first=False,
        dropout=0.0,
        bidirectional=False,
        proj_size=0,
        **unused,
    ):
        super().__init__()
        self.input_size, self.hidden_size, self.proj_size = input_size, hidden_size, proj_size
        self.num_layers, self.bias, self.batch_first = num_layers, bias, batch_first
        self.bidirectional, self.mode = bidirectional, "LSTM"
        self.dropout = float(dropout)
        self.left_out = mindspore.nn.Dropout(p=self.dropout)
        self.directions = ("", "_reverse") if bidirectional else ("",)
        spread = mindspore.common.initializer.Uniform(hidden_size**-0.5)
        for layer in range(num_layers):
            width = proj_size * len(self.directions) if layer else input_size
            shapes = {
                "weight_ih": (4 * hidden_size, width),
                "weight_hh": (4 * hidden_size, proj_size),
                "bias_ih": (4 * hidden_size,),
                "bias_hh": (4 * hidden_size,),
                "weight_hr": (proj_size, hidden_size),
            }
            for direction in self.directions:
                for kind, shape in shapes.items():
                    name = f"{kind}_l{layer}{direction}"
                    is_there = bias or not kind.startswith("bias")
                    values = mindspore.common.initializer.initializer(spread, shape)
                    setattr(self, name, mindspore.Parameter(values, name=name) if is_there else None)
        self.set_train()

    def __setattr__(self, name, value):
        super().__setattr__(name, value)
        torch_set_dropout(self, name, value, "left_out")

    @property
    def _all_weights(self):
        return torch_weight_names(self)  # code asks for it to draw the biases of the gates in its own way

    def construct(self, input, hx=None, lengths=None):
        if isinstance(input, tuple):  # a packed sequence
            return input.through(self.construct, hx, self.batch_first)
        if input.ndim == 2:
            batch_axis = 0 if self.batch_first else 1
            states = None if hx is None else tuple(state.expand_dims(1) for state in hx)
            output, states = self.construct(input.expand_dims(batch_axis), states)
            return output.squeeze(batch_axis), tuple(state.squeeze(1) for state in states)
        steps = list(input.unbind(1 if self.batch_first else 0))
        goes_on = [None if lengths is None else (lengths > step).expand_dims(1) for step in range(len(steps))]
        hidden, cells = [], []
        for layer in range(self.num_layers):
            sides = []
            for direction in self.directions:
                place = len(hidden)
                if hx is None:
                    h = mindspore.ops.zeros((steps[0].shape[0], self.proj_size), input.dtype)
                    c = mindspore.ops.zeros((steps[0].shape[0], self.hidden_size), input.dtype)
                else:
                    h, c = hx[0][place], hx[1][place]
                way = slice(None, None, -1 if direction else 1)
                outputs, h, c = self.run(steps[way], goes_on[way], h, c, f"_l{layer}{direction}")
                sides.append(outputs[::-1] if direction else outputs)
                hidden.append(h)
                cells.append(c)
            steps = [mindspore.ops.cat(parts, -1) for parts in zip(*sides)]
            if layer < self.num_layers - 1:
                steps = [self.left_out(step) for step in steps]
        output = mindspore.ops.stack(steps, 1 if self.batch_first else 0)
        return output, (mindspore.ops.stack(hidden), mindspore.ops.stack(cells))

    def run(self, steps, goes_on, h, c, suffix):
        kinds = ("weight_ih", "bias_ih", "weight_hh", "bias_hh", "weight_hr")
        weight_ih, bias_ih, weight_hh, bias_hh, weight_hr = (getattr(self, kind + suffix) for kind in kinds)
        outputs = []
        for step, is_there in zip(steps, goes_on):
            before = h, c
            gates = mindspore.ops.dense(step, weight_ih, bias_ih) + mindspore.ops.dense(h, weight_hh, bias_hh)
            i, f, g, o = mindspore.ops.chunk(gates, 4, -1)
            c = mindspore.ops.sigmoid(f) * c + mindspore.ops.sigmoid(i) * torch_tanh(g)
            h = mindspore.ops.dense(mindspore.ops.sigmoid(o) * torch_tanh(c), weight_hr)
            if is_there is not None:  # behind its end a sequence keeps its states
                h, c = (mindspore.ops.where(is_there, new, old) for new, old in zip((h, c), before))
            outputs.append(h)
        return outputs, h, c


TorchProjectedLSTM.__name__ = "LSTM"  # code may ask for it
