"""One loop that trains and validates, in the style of the tutorial on transfer learning; and a trainer with a switch for
each pass."""

import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(6, 8, bias=False), nn.BatchNorm1d(8), nn.ReLU())
        self.head = nn.Linear(8, 3)

    def forward(self, x, targets=None):
        logits = self.head(self.body(x))
        if targets is None:
            return logits
        return logits, F.cross_entropy(logits, targets)


def networks():
    return Classifier(), Classifier(), Classifier()


def fine_tune(model, loaders, epochs=3):
    """Trains and validates, and ends with the best weights."""
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.5)
    best_weights = copy.deepcopy(model.state_dict())
    best = 0.0
    losses = []
    for epoch in range(epochs):
        for phase in ["train", "val"]:
            if phase == "train":
                model.train()
            else:
                model.eval()
            running_loss = 0.0
            running_corrects = 0
            count = 0
            for inputs, labels in loaders[phase]:
                optimizer.zero_grad()

                # record only while training
                with torch.set_grad_enabled(phase == "train"):
                    outputs = model(inputs)
                    _, preds = torch.max(outputs, 1)
                    loss = criterion(outputs, labels)

                    # learn only while training
                    if phase == "train":
                        loss.backward()
                        optimizer.step()

                running_loss += loss.item() * inputs.size(0)
                running_corrects += torch.sum(preds == labels.data)
                count += inputs.size(0)
            if phase == "train":
                scheduler.step()
            accuracy = running_corrects.double() / count
            losses += [running_loss / count, accuracy.item()]
            if phase == "val" and accuracy > best:
                best = accuracy.item()
                best_weights = copy.deepcopy(model.state_dict())
    model.load_state_dict(best_weights)
    model.eval()
    return losses + [model(inputs).mean().item()]


class Trainer:
    """Runs epochs that learn and epochs that only look."""

    def __init__(self, model):
        self.model = model
        self.losses = []

    def run_epoch(self, batches, optimizer=None):
        is_train = optimizer is not None
        self.model.train(is_train)
        for x, y in batches:
            with torch.set_grad_enabled(is_train):
                logits, loss = self.model(x, y)
                loss = loss.mean()
                self.losses.append(loss.item())
            if is_train:
                self.model.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), 0.5)
                optimizer.step()
            else:
                self.losses.append(logits.mean().item())


def run(tuned, trained, other, arrays):
    batches = [(torch.from_numpy(x), torch.from_numpy(y)) for x, y in zip(arrays["inputs"], arrays["labels"])]
    losses = fine_tune(tuned, {"train": batches[:3], "val": batches[3:]})
    trainer = Trainer(trained)
    optimizer = torch.optim.AdamW(trained.parameters(), lr=0.01)
    for _ in range(2):
        trainer.run_epoch(batches[:3], optimizer)
        trainer.run_epoch(batches[3:])
    return losses + trainer.losses
