import numpy as np
import torch
import torch.optim as optim
from retinanet import model as models


def build():
    return models.resnet18(num_classes=3, pretrained=False)


def images(seed):
    return torch.from_numpy(np.random.RandomState(seed).randn(2, 3, 64, 96).astype("float32"))


def annotations():
    """Two boxes in the first picture; the second has one, padded with -1 as the repository's collater does."""
    boxes = [
        [[4, 6, 40, 50, 0], [30, 10, 90, 60, 2]],
        [[12, 20, 60, 52, 1], [-1, -1, -1, -1, -1]],
    ]
    return torch.from_numpy(np.array(boxes, dtype="float32"))


def forward(model):
    model.train()
    model.freeze_bn()
    classification_loss, regression_loss = model([images(0), annotations()])
    model.eval()
    with torch.no_grad():
        x = model.maxpool(model.relu(model.bn1(model.conv1(images(1)))))
        x2 = model.layer2(model.layer1(x))
        x3 = model.layer3(x2)
        features = model.fpn([x2, x3, model.layer4(x3)])
        regression = torch.cat([model.regressionModel(feature) for feature in features], dim=1)
        classification = torch.cat([model.classificationModel(feature) for feature in features], dim=1)
        boxes = model.regressBoxes(model.anchors(images(1)), regression)
        boxes = model.clipBoxes(boxes, images(1))
    return {
        "classification_loss": classification_loss,
        "regression_loss": regression_loss,
        "classification": classification,
        "boxes": boxes,
    }


def train(model):
    optimizer = optim.Adam(model.parameters(), lr=1e-4)
    scheduler = optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=3)
    losses = []
    for _ in range(2):
        model.train()
        model.freeze_bn()
        epoch_loss = []
        for step in range(2):
            optimizer.zero_grad()
            classification_loss, regression_loss = model([images(step).float(), annotations()])
            classification_loss = classification_loss.mean()
            regression_loss = regression_loss.mean()
            loss = classification_loss + regression_loss
            if bool(loss == 0):
                continue
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 0.1)
            optimizer.step()
            epoch_loss.append(float(loss))
        scheduler.step(np.mean(epoch_loss))
        losses += epoch_loss
    return {
        "losses": losses,
        "classifier": model.classificationModel.output.weight,
        "pyramid": model.fpn.P3_2.weight,
    }


def init():
    net = models.resnet18(num_classes=3)
    return {
        "conv": net.conv1.weight,
        "head": net.regressionModel.conv1.weight,
        "last": net.layer4[1].conv2.weight,
    }
