import dlrm_s_pytorch
import numpy as np
import torch
from dlrm_s_pytorch import DLRM_Net, LRPolicyScheduler

TABLES, WIDTH, DENSE, BATCH = np.array([20, 9, 14]), 4, 5, 6


def build():
    np.random.seed(123)
    num_fea = TABLES.size + 1
    interactions = (num_fea * (num_fea - 1)) // 2 + WIDTH
    return DLRM_Net(
        WIDTH,
        TABLES,
        np.array([DENSE, 8, WIDTH]),
        np.array([interactions, 8, 1]),
        arch_interaction_op="dot",
        arch_interaction_itself=False,
        sigmoid_bot=-1,
        sigmoid_top=1,
        loss_function="bce",
    )


def clicks(seed):
    """A batch as the repository's random data: dense numbers, and for each table offsets and indices of bags."""
    random = np.random.RandomState(seed)
    X = torch.from_numpy(random.uniform(size=(BATCH, DENSE)).astype("float32"))
    lS_o, lS_i = [], []
    for size in TABLES:
        counts = random.randint(1, 4, BATCH)
        lS_o.append(torch.tensor(np.concatenate([[0], np.cumsum(counts)[:-1]])))
        lS_i.append(torch.tensor(random.randint(0, size, counts.sum())))
    T = torch.from_numpy(random.randint(0, 2, (BATCH, 1)).astype("float32"))
    return X, lS_o, lS_i, T


def forward(dlrm):
    X, lS_o, lS_i, T = clicks(0)
    with torch.no_grad():
        Z = dlrm(X, lS_o, lS_i)
        bags = dlrm.apply_emb(lS_o, lS_i, dlrm.emb_l, dlrm.v_W_l)
    return {"clicks": Z, "bags": bags, "loss": dlrm.loss_fn(Z, T)}


def train(dlrm):
    device = torch.device("cpu")
    dlrm_s_pytorch.dlrm = dlrm
    dlrm_s_pytorch.args = dlrm_s_pytorch.argparse.Namespace(loss_function="bce")
    optimizer = torch.optim.SGD(dlrm.parameters(), lr=0.1)
    lr_scheduler = LRPolicyScheduler(optimizer, 2, 3, 4)
    losses, rates = [], []
    for step in range(5):
        X, lS_o, lS_i, T = clicks(1 + step)
        Z = dlrm_s_pytorch.dlrm_wrap(X, lS_o, lS_i, False, device, ndevices=-1)
        E = dlrm_s_pytorch.loss_fn_wrap(Z, T, False, device)
        optimizer.zero_grad()
        E.backward()
        optimizer.step()
        lr_scheduler.step()
        losses.append(E.item())
        rates.append(lr_scheduler.get_last_lr()[0])
    return {
        "losses": losses,
        "rates": rates,
        "table": dlrm.emb_l[0].weight,
        "bottom": dlrm.bot_l[0].weight,
        "top": dlrm.top_l[2].weight,
    }


def init():
    net = build()
    return {"table": net.emb_l[0].weight, "bottom": net.bot_l[0].weight}
