import numpy as np
import torch
import torch.nn as nn

import train as program
from loss import ClassificationLossCompute, MultipleChoiceLossCompute
from model_pytorch import DEFAULT_CONFIG, DoubleHeadModel, LMModel, dotdict
from opt import OpenAIAdam

WORDS, LENGTH, CLF = 40, 8, 42
SPECIAL = 3
settings = dotdict({**DEFAULT_CONFIG, "n_embd": 16, "n_head": 2, "n_layer": 2, "embd_pdrop": 0.0, "attn_pdrop": 0.0,
                    "resid_pdrop": 0.0, "clf_pdrop": 0.0})  # fmt: skip


def build():
    vocab = WORDS + SPECIAL + LENGTH
    choice = DoubleHeadModel(settings, CLF, "multiple_choice", vocab, LENGTH)
    inference = DoubleHeadModel(settings, CLF, ("classification", 4), vocab, LENGTH)
    language = LMModel(dotdict({**settings, "afn": "swish"}), vocab, LENGTH, return_probs=True)
    return choice, inference, language


def init():
    torch.manual_seed(1)
    model = DoubleHeadModel(dotdict({**settings, "n_embd": 32}), CLF, "multiple_choice", 200, LENGTH)
    return {"embed": model.transformer.embed.weight, "attention": model.transformer.h[0].attn.c_attn.w}


def texts(seed, rows=4):
    """Two endings of each story, as transform_roc of train.py lays them out."""
    rng = np.random.RandomState(seed)
    program.n_ctx, program.max_len, program.clf_token = LENGTH, 2, CLF
    program.n_vocab, program.n_special = WORDS, SPECIAL
    program.encoder = {"_start_": WORDS, "_delimiter_": WORDS + 1}
    parts = [
        [list(map(int, rng.randint(0, WORDS, rng.randint(1, 4)))) for _ in range(rows)] for _ in range(3)
    ]
    xmb, mmb = program.transform_roc(*parts)
    return xmb, mmb, rng.randint(0, 2, rows)


def forward(choice, inference, language):
    for net in (choice, inference, language):
        net.eval()
    xmb, mmb, _ = texts(0)
    ids = torch.tensor(xmb, dtype=torch.long)
    return {
        "choice": lambda: choice(ids)[1],
        "words": lambda: choice(ids)[0],
        "inference": lambda: inference(ids[:, 0])[1],
        "language": lambda: language(ids[:, 0]),
        "tied": lambda: torch.tensor(float(choice.lm_head.decoder.weight is choice.transformer.embed.weight)),
        "schedules": lambda: np.array([float(program_schedule(x)) for x in (0.001, 0.3, 0.9)]),
    }


def program_schedule(x):
    import opt

    return opt.warmup_linear(x, 0.002) + opt.warmup_constant(x, 0.01)


def optimizer_of(model):
    return OpenAIAdam(
        model.parameters(), lr=1e-3, schedule="warmup_linear", warmup=0.2, t_total=12, b1=0.9, b2=0.999, e=1e-8, l2=0.01,
        vector_l2=True, max_grad_norm=1,
    )  # fmt: skip


def train(choice, inference, language):
    criterion = nn.CrossEntropyLoss(reduction="none")
    losses = []

    class Compute(MultipleChoiceLossCompute):
        def __call__(self, *given, **more):
            found = super().__call__(*given, **more)
            if isinstance(found, float):
                losses.append(found)
            return found

    program.trX, program.trM, program.trYt = texts(3, 8)
    program.trY = program.trYt
    program.vaX, program.vaM, program.vaY = texts(4, 4)
    program.n_batch_train, program.device, program.dh_model = 4, torch.device("cpu"), choice
    program.n_updates, program.n_epochs = 0, 0
    program.compute_loss_fct = Compute(criterion, criterion, 0.5, optimizer_of(choice))
    np.random.seed(0)
    for _ in range(2):
        program.run_epoch()
    logits, cost = program.iter_apply(program.vaX, program.vaM, program.vaY)
    predicted = program.iter_predict(program.vaX, program.vaM)
    compute = ClassificationLossCompute(criterion, criterion, 0.5, optimizer_of(inference))
    others = []
    for step in range(3):
        inference.train()
        xmb, mmb, ymb = texts(10 + step)
        ids = torch.tensor(xmb[:, 0], dtype=torch.long)
        lm_logits, clf_logits = inference(ids)
        others.append(compute(ids, torch.tensor(ymb), torch.tensor(mmb[:, 0]), clf_logits, lm_logits))
    return {
        "losses": losses,
        "logits": logits,
        "cost": cost,
        "predicted": predicted,
        "others": others,
        "embed": choice.transformer.embed.weight,
        "attention": choice.transformer.h[1].attn.c_attn.w,
        "norm": choice.transformer.h[0].ln_1.g,
        "head": inference.task_head.linear.weight,
    }
