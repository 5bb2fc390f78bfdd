import torch
import torch.nn as nn
from torch import optim

from losses import DiceLoss, dice_coeff


@torch.inference_mode()
def evaluate(net, dataloader, n_classes):
    net.eval()
    score = 0
    for batch in dataloader:
        mask_pred = net(batch["image"])
        mask_pred = nn.functional.one_hot(mask_pred.argmax(dim=1), n_classes).permute(0, 3, 1, 2).float()
        mask_true = nn.functional.one_hot(batch["mask"], n_classes).permute(0, 3, 1, 2).float()
        score += dice_coeff(mask_pred[:, 1:].flatten(0, 1), mask_true[:, 1:].flatten(0, 1))
    net.train()
    return score / max(len(dataloader), 1)


def train_model(model, train_loader, val_loader, epochs=1, learning_rate=1e-5, gradient_clipping=1.0):
    optimizer = optim.RMSprop(model.parameters(), lr=learning_rate, weight_decay=1e-8, momentum=0.9)
    scheduler = optim.lr_scheduler.ReduceLROnPlateau(optimizer, "max", patience=5)
    criterion = nn.CrossEntropyLoss()
    dice_loss = DiceLoss(model.n_classes)

    losses, scores = [], []
    for epoch in range(1, epochs + 1):
        model.train()
        for batch in train_loader:
            images, true_masks = batch["image"], batch["mask"]
            assert images.shape[1] == model.n_channels

            masks_pred = model(images)
            loss = criterion(masks_pred, true_masks)
            loss += dice_loss(masks_pred, true_masks)

            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), gradient_clipping)
            optimizer.step()
            losses.append(loss.item())

        val_score = evaluate(model, val_loader, model.n_classes)
        scheduler.step(val_score)
        scores.append(float(val_score))
    return losses, scores
