import sys
import types
from collections import namedtuple

import numpy as np
import torch
import torch.distributions as td

# What the program uses of rlpyt, whose own loop is not part of this one.


def namedarraytuple(typename, field_names):
    """A named tuple of which an index takes the same part of every field."""

    class Arrays(namedtuple(typename, field_names)):
        __slots__ = ()

        def __getitem__(self, place):
            return type(self)(*(None if field is None else field[place] for field in self))

    Arrays.__name__ = typename
    return Arrays


def buffer_func(buffer, func, *args, **kwargs):
    if isinstance(buffer, tuple):
        fields = (buffer_func(field, func, *args, **kwargs) for field in buffer)
        return type(buffer)(*fields) if hasattr(buffer, "_fields") else tuple(fields)
    return None if buffer is None else func(buffer, *args, **kwargs)


def buffer_method(buffer, method_name, *args, **kwargs):
    def asked(field):
        return field.detach() if method_name == "detach" else field.reshape(*args, **kwargs)

    return buffer_func(buffer, asked)


def buffer_to(buffer, device=None):
    return buffer_func(buffer, lambda field: field.to(device))


def infer_leading_dims(tensor, dim):
    lead_dim = tensor.dim() - dim
    shape = tensor.shape[lead_dim:]
    T, B = {2: tensor.shape[:2], 1: (1, tensor.shape[0]), 0: (1, 1)}[lead_dim]
    return lead_dim, T, B, shape


def restore_leading_dims(tensor, lead_dim, T=1, B=1):
    if lead_dim == 2:
        return tensor.view((T, B) + tensor.shape[1:])
    return tensor if lead_dim == 1 else tensor.squeeze(0)


def save__init__args(values):
    for name, value in values.items():
        if name not in ("self", "__class__"):
            setattr(values["self"], name, value)


class RlAlgorithm:
    pass


class BaseAgent:
    def __init__(self, ModelCls=None, model_kwargs=None, initial_model_state_dict=None):
        self.model = ModelCls(**model_kwargs)
        if initial_model_state_dict is not None:
            self.model.load_state_dict(initial_model_state_dict)
        self.device = torch.device("cpu")
        self.env_model_kwargs = model_kwargs

    def parameters(self):
        return self.model.parameters()


class RecurrentAgentMixin:
    prev_rnn_state = None

    def advance_rnn_state(self, new_rnn_state):
        self.prev_rnn_state = new_rnn_state


SamplesFromReplay = namedarraytuple("SamplesFromReplay", ["all_observation", "all_action", "all_reward", "done"])


class SequenceBuffer:
    """Keeps every sample, and gives sequences that begin at random places."""

    def __init__(self, example, size, B, **kwargs):
        self.example, self.B, self.samples = example, B, None
        self.rng = np.random.RandomState(3)

    def append_samples(self, samples):
        if self.samples is not None:
            samples = type(samples)(*(torch.cat(pair) for pair in zip(self.samples, samples)))
        self.samples = samples

    def sample_batch(self, batch_B, batch_T):
        starts = self.rng.randint(0, len(self.samples.reward) - batch_T, batch_B)
        columns = self.rng.randint(0, self.B, batch_B)

        def sequences(field, length):
            return torch.stack([field[t : t + length, b] for t, b in zip(starts, columns)], dim=1)

        kept = self.samples
        longer = [sequences(field, batch_T + 1) for field in (kept.observation, kept.action, kept.reward)]
        return SamplesFromReplay(*longer, sequences(kept.done, batch_T))


class Writer:
    videos = []

    def add_video(self, tag, vid_tensor, global_step, fps):
        self.videos.append(vid_tensor)


AgentStep = namedarraytuple("AgentStep", ["action", "agent_info"])
writer = Writer()
library = {
    "rlpyt": {},
    "rlpyt.utils": {},
    "rlpyt.utils.collections": {"namedarraytuple": namedarraytuple},
    "rlpyt.utils.buffer": {"buffer_func": buffer_func, "buffer_method": buffer_method, "buffer_to": buffer_to},
    "rlpyt.utils.tensor": {
        "infer_leading_dims": infer_leading_dims,
        "restore_leading_dims": restore_leading_dims,
        "to_onehot": None,
        "from_onehot": None,
    },
    "rlpyt.utils.quick_args": {"save__init__args": save__init__args},
    "rlpyt.utils.logging": {"logger": types.SimpleNamespace(get_tf_summary_writer=lambda: writer)},
    "rlpyt.algos": {},
    "rlpyt.algos.base": {"RlAlgorithm": RlAlgorithm},
    "rlpyt.agents": {},
    "rlpyt.agents.base": {
        "BaseAgent": BaseAgent,
        "RecurrentAgentMixin": RecurrentAgentMixin,
        "AgentStep": AgentStep,
    },
    "rlpyt.replays": {},
    "rlpyt.replays.sequence": {},
    "rlpyt.replays.sequence.n_step": {"SamplesFromReplay": SamplesFromReplay},
    "rlpyt.replays.sequence.uniform": {"UniformSequenceReplayBuffer": SequenceBuffer},
}
for name, members in library.items():
    module = types.ModuleType(name)
    vars(module).update(members)
    sys.modules[name] = module

from dreamer.agents.dreamer_agent import DreamerAgent  # noqa: E402  after the library is made
from dreamer.algos.dreamer_algo import Dreamer  # noqa: E402
from dreamer.models.agent import AtariDreamerModel  # noqa: E402
from dreamer.models.distribution import SampleDist  # noqa: E402
from dreamer.models.rnns import get_dist, get_feat  # noqa: E402

ACTIONS = 3


def agent(model=None, use_pcont=True):
    made = DreamerAgent(
        ModelCls=AtariDreamerModel,
        train_noise=0.0,
        expl_min=0.0,
        expl_decay=0,
        model_kwargs=dict(
            action_shape=(ACTIONS,),
            stochastic_size=4,
            deterministic_size=8,
            hidden_size=8,
            action_hidden_size=8,
            reward_hidden=8,
            value_hidden=8,
            pcont_hidden=8,
            action_dist="tanh_normal",
            use_pcont=use_pcont,
        ),
    )
    if model is not None:
        made.model.load_state_dict(model.state_dict())
    for part in (made.model.transition, made.model.representation):
        part._dist = lambda mean, std: td.Normal(mean, std * 1e-12)
    made.model.action_decoder.raw_init_std, made.model.action_decoder.min_std = -40, 1e-12
    return made


def build():
    return agent().model, agent(use_pcont=False).model


def samples(count=6, columns=2):
    rng = np.random.RandomState(0)
    environment = types.SimpleNamespace(
        observation=torch.from_numpy(rng.randint(0, 256, (count, columns, 3, 64, 64)).astype(np.uint8)),
        reward=torch.from_numpy(rng.randn(count, columns).astype(np.float32)),
        done=torch.from_numpy(rng.rand(count, columns) < 0.2),
    )
    action = torch.from_numpy(rng.uniform(-1, 1, (count, columns, ACTIONS)).astype(np.float32))
    return types.SimpleNamespace(env=environment, agent=types.SimpleNamespace(action=action))


def forward(model, plain):
    acting, data = agent(model), samples()
    own = acting.model
    own.eval()
    features = get_feat(own.representation.initial_state(5, dtype=torch.float))
    features = features + torch.linspace(-1, 1, 12)

    def steps():
        taken = []
        for t in range(3):
            step = acting.step(data.env.observation[t], data.agent.action[t], data.env.reward[t])
            taken.append(step.action)
        return torch.stack(taken)

    def imagined():
        state = own.transition.initial_state(2)
        return get_feat(own.rollout.rollout_transition(4, data.agent.action, state))

    def represented():
        embed = own.observation_encoder(data.env.observation.type(torch.float) / 255.0 - 0.5)
        _, post = own.rollout(3, embed, data.agent.action, own.representation.initial_state(2))
        return get_dist(post).mean

    def entropy():
        dist = SampleDist(td.Independent(td.Normal(torch.ones(4, 2), 1e-12 * torch.ones(4, 2)), 1), samples=7)
        return dist.mean()

    return {
        "steps": steps,
        "imagined": imagined,
        "represented": represented,
        "image": lambda: own.observation_decoder(features).mean,
        "reward": lambda: own.reward_model(features).log_prob(torch.ones(5, 1)),
        "pcont": lambda: own.pcont(features).mean,
        "pcont_log_prob": lambda: own.pcont(features).log_prob(torch.ones(5, 1)),
        "action": lambda: own.action_decoder(features).mode(),
        "mean": entropy,
    }


def train(*nets):
    result = {}
    for name, net in zip(("pcont", "plain"), nets):
        acting = agent(net, use_pcont=name == "pcont")
        acting.model.train()
        algorithm = Dreamer(
            batch_size=2,
            batch_length=3,
            train_every=1,
            train_steps=2,
            horizon=3,
            prefill=0,
            model_lr=1e-3,
            actor_lr=1e-3,
            value_lr=1e-3,
            grad_clip=10.0,
            video_every=1,
            video_summary_t=1,
            video_summary_b=2,
            use_pcont=name == "pcont",
            discount=1.0 if name == "pcont" else 0.99,
        )
        data = samples()
        examples = {
            "observation": data.env.observation[0, 0],
            "action": data.agent.action[0, 0],
            "reward": data.env.reward[0, 0],
            "done": data.env.done[0, 0],
        }
        algorithm.initialize(acting, 4, types.SimpleNamespace(T=6, B=2), False, examples)
        for itr in range(2):
            info = algorithm.optimize_agent(itr, data)
            for field in ("loss", "model_loss", "actor_loss", "value_loss", "grad_norm_model", "grad_norm_actor"):
                result[f"{name}_{field}_{itr}"] = np.array(getattr(info, field))
        result[name + "_cell"] = acting.model.transition._cell.weight_hh
        result[name + "_image"] = acting.model.observation_decoder.decoder[0].weight
        result[name + "_actor"] = acting.model.action_decoder.feedforward_model[0].weight
        result[name + "_value"] = acting.model.value_model.model[0].weight
        result[name + "_video"] = writer.videos[-1]
        again = Dreamer(use_pcont=name == "pcont", initial_optim_state_dict=algorithm.optim_state_dict())
        again.agent = acting
        again.optim_initialize()
        result[name + "_resumed"] = len(again.actor_optimizer.state_dict()["param_groups"])
    return result
