import numpy as np
import optimizers
import torch
from config import parser
from models.base_models import LPModel, NCModel
from utils.train_utils import format_metrics

NODES, FEATURES, CLASSES, DIM = 12, 6, 3, 8


def arguments(*words):
    args = parser.parse_args(["--dim", str(DIM), "--num-layers", "2", *words])
    args.device, args.n_nodes, args.feat_dim, args.n_classes = "cpu", NODES, FEATURES, CLASSES
    args.nb_false_edges, args.nb_edges = 8, 8
    return args


NODE = arguments("--task", "nc", "--model", "HGCN", "--manifold", "PoincareBall", "--optimizer", "Adam", "--lr", "0.01")
LINK = arguments(
    "--task", "lp", "--model", "HGCN", "--manifold", "Hyperboloid", "--use-att", "1", "--grad-clip", "1.0",
    "--weight-decay", "0.001",
)  # fmt: skip


def build():
    return NCModel(NODE), LPModel(arguments(*"--task lp --model HGCN --manifold Hyperboloid --use-att 1".split()))


def init():
    torch.manual_seed(1)
    net = NCModel(NODE)
    return {"weight": net.encoder.layers[0].linear.weight}


def graph(seed):
    rng = np.random.RandomState(seed)
    adjacency = rng.rand(NODES, NODES) < 0.3
    adjacency = (adjacency | adjacency.T | np.eye(NODES, dtype=bool)).astype("float32")
    adjacency /= adjacency.sum(1, keepdims=True)
    edges = np.stack(np.nonzero(np.triu(adjacency > 0, 1)), 1)
    features = rng.rand(NODES, FEATURES).astype("float32")
    return {
        "features": torch.from_numpy(features / features.sum(1, keepdims=True)),
        "adj_train_norm": torch.from_numpy(adjacency).to_sparse(),
        "labels": torch.from_numpy(rng.randint(0, CLASSES, NODES)),
        "idx_train": list(range(0, 6)),
        "idx_val": list(range(6, 9)),
        "idx_test": list(range(9, 12)),
        **{f"{split}_edges": torch.from_numpy(edges[k::3][:8]) for k, split in enumerate(("train", "val", "test"))},
        **{
            f"{split}_edges_false": torch.from_numpy(rng.randint(0, NODES, (8, 2)))
            for split in ("train", "val", "test")
        },
    }


def forward(node, link):
    data = graph(0)
    node.eval()
    link.eval()
    h = node.encode(data["features"], data["adj_train_norm"])
    return {
        "embedding": h,
        "classes": lambda: node.decode(h, data["adj_train_norm"], data["idx_val"]),
        "metrics": lambda: [float(value) for value in node.compute_metrics(h, data, "val").values()],
        "hyperboloid": lambda: link.encode(data["features"], data["adj_train_norm"]),
    }


def trained(model, args, data):
    """The steps of train(), which reads the data of papers."""
    optimizer = getattr(optimizers, args.optimizer)(
        params=model.parameters(), lr=args.lr, weight_decay=args.weight_decay
    )
    lr_scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=float(args.gamma))
    tot_params = sum([np.prod(p.size()) for p in model.parameters()])
    best = model.init_metric_dict()
    values = [float(tot_params)]
    np.random.seed(0)
    for epoch in range(3):
        model.train()
        optimizer.zero_grad()
        embeddings = model.encode(data["features"], data["adj_train_norm"])
        train_metrics = model.compute_metrics(embeddings, data, "train")
        train_metrics["loss"].backward()
        if args.grad_clip is not None:
            max_norm = float(args.grad_clip)
            all_params = list(model.parameters())
            for param in all_params:
                torch.nn.utils.clip_grad_norm_(param, max_norm)
        optimizer.step()
        lr_scheduler.step()
        format_metrics(train_metrics, "train")
        model.eval()
        embeddings = model.encode(data["features"], data["adj_train_norm"])
        val_metrics = model.compute_metrics(embeddings, data, "val")
        if model.has_improved(best, val_metrics):
            best = val_metrics
        values += [float(value) for value in [*train_metrics.values(), *val_metrics.values()]]
    return values


def train(node, link):
    return {
        "values": trained(node, NODE, graph(1)),
        "weight": node.encoder.layers[0].linear.weight,
        "classifier": node.decoder.cls.linear.weight,
        "link": lambda: trained(link, LINK, graph(2)),
        "attention": lambda: link.encoder.layers[0].agg.att.linear.weight,
    }
