import os
import tempfile

import numpy as np
import pandas as pd
import torch
from torch import nn
from torch.optim import Adam
from torch.utils.data import DataLoader, Dataset

from few_shot.callbacks import CSVLogger, LearningRateScheduler, ModelCheckpoint, ReduceLROnPlateau
from few_shot.core import EvaluateFewShot, NShotTaskSampler, create_nshot_task_label
from few_shot.maml import meta_gradient_step
from few_shot.models import FewShotClassifier, MatchingNetwork, get_few_shot_encoder
from few_shot.proto import proto_net_episode
from few_shot.train import fit

N, K, Q = 2, 3, 2
CPU = torch.device("cpu")


class Characters(Dataset):
    """Images of 28 by 28 points, with the table that samplers look into."""

    def __init__(self, seed):
        random = np.random.RandomState(seed)
        self.images = random.uniform(size=(40, 1, 28, 28)).astype("float32")
        self.df = pd.DataFrame({"class_id": [i % 5 for i in range(40)]})
        self.df = self.df.assign(id=self.df.index.values)

    def __len__(self):
        return len(self.df)

    def __getitem__(self, item):
        return torch.from_numpy(self.images[item]), int(self.df["class_id"][item])


def tasks(seed, episodes, num_tasks=1):
    dataset = Characters(seed)
    return DataLoader(
        dataset, batch_sampler=NShotTaskSampler(dataset, episodes, N, K, Q, num_tasks=num_tasks), num_workers=0
    )


def build():
    proto = get_few_shot_encoder(1)
    matching = MatchingNetwork(
        N, K, Q, fce=True, num_input_channels=1, lstm_layers=1, lstm_input_size=64, unrolling_steps=2, device=CPU
    )
    matching.float()
    maml = FewShotClassifier(1, K, 64)
    return proto, matching, maml


def forward(proto, matching, maml):
    for net in (proto, matching, maml):
        net.eval()
    x = torch.from_numpy(Characters(0).images[:6])
    support = matching.encoder(x)
    g, _, _ = matching.g(support.unsqueeze(1))
    weights = dict(maml.named_parameters())
    return {
        "proto": proto(x),
        "g": g,
                "maml": maml(x),
        "functional": maml.functional_forward(x, weights),
        "labels": create_nshot_task_label(K, Q).float(),
    }


def lr_schedule(epoch, lr):
    return lr / 2 if epoch % 2 == 0 else lr


def prepare_batch(batch):
    x, y = batch
    return x, create_nshot_task_label(K, Q)


def prepare_meta_batch(batch):
    x, y = batch
    x = x.reshape(2, N * K + Q * K, 1, x.shape[-2], x.shape[-1])
    y = create_nshot_task_label(K, Q).repeat(2)
    return x, y


def train(proto, matching, maml):
    np.random.seed(3)
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        monitored = f"val_{N}-shot_{K}-way_acc"
        path = os.path.join(folder, "proto.csv")
        callbacks = [
            EvaluateFewShot(
                eval_fn=proto_net_episode,
                num_tasks=2,
                n_shot=N,
                k_way=K,
                q_queries=Q,
                taskloader=tasks(5, 2),
                prepare_batch=prepare_batch,
                distance="l2",
            ),
            ModelCheckpoint(filepath=os.path.join(folder, "proto.pth"), monitor=monitored),
            LearningRateScheduler(schedule=lr_schedule),
            ReduceLROnPlateau(patience=1, factor=0.5, monitor="val_loss"),
            CSVLogger(path),
        ]
        fit(
            proto,
            Adam(proto.parameters(), lr=1e-3),
            nn.NLLLoss(),
            epochs=2,
            dataloader=tasks(1, 2),
            prepare_batch=prepare_batch,
            callbacks=callbacks,
            metrics=["categorical_accuracy"],
            fit_function=proto_net_episode,
            fit_function_kwargs={"n_shot": N, "k_way": K, "q_queries": Q, "train": True, "distance": "l2"},
        )
        lines.extend(pd.read_csv(path)["loss"].tolist())
        lines.extend(pd.read_csv(path)["val_loss"].tolist())
        proto.load_state_dict(torch.load(os.path.join(folder, "proto.pth")))

        for order in (2,):
            path = os.path.join(folder, f"maml{order}.csv")
            fit(
                maml,
                Adam(maml.parameters(), lr=1e-3),
                nn.CrossEntropyLoss(),
                epochs=1,
                dataloader=tasks(3, 2, num_tasks=2),
                prepare_batch=prepare_meta_batch,
                callbacks=[CSVLogger(path)],
                metrics=["categorical_accuracy"],
                fit_function=meta_gradient_step,
                fit_function_kwargs={
                    "n_shot": N, "k_way": K, "q_queries": Q, "train": True, "order": order, "device": CPU,
                    "inner_train_steps": 1, "inner_lr": 0.4,
                },
            )
            lines.extend(pd.read_csv(path)["loss"].tolist())
    return {
        "losses": lines,
        "proto": proto[0][0].weight,
        "maml": maml.logits.weight,
    }
