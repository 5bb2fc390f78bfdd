import torch
import torch.nn as nn

from data import PAD


def evaluate(model, loader):
    model.eval()
    correct, total = 0, 0
    with torch.no_grad():
        for words, tags in loader:
            predicted = model(words).argmax(-1)
            mask = tags.ne(PAD)
            correct += ((predicted == tags) & mask).sum().item()
            total += mask.sum().item()
    return correct / total


def train(model, loader, epochs=1, lr=0.05):
    criterion = nn.CrossEntropyLoss(ignore_index=PAD)
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 0.9**step)
    losses = []
    for epoch in range(epochs):
        model.train()
        epoch_loss = 0.0
        for words, tags in loader:
            model.zero_grad()
            scores = model(words)
            loss = criterion(scores.view(-1, scores.shape[-1]), tags.view(-1))
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimizer.step()
            scheduler.step()
            losses.append(loss.item())
            epoch_loss += loss.item()
        print(f"epoch {epoch}: {epoch_loss / len(loader):.3f}, accuracy {evaluate(model, loader):.2f}")
    return losses
