import numpy as np
import torch
from PIL import Image
from torch.optim import lr_scheduler

import dataset
import detect
from loss import Loss, get_dice_loss, get_geo_loss
from model import EAST, merge, output

SIZE = 64


def build():
    return EAST(pretrained=False)


def init():
    torch.manual_seed(1)
    merging, head = merge(), output()
    return {
        "conv1": merging.conv1.weight,
        "conv6": merging.conv6.weight,
        "loc": head.conv2.weight,
        "bn": merging.bn3.weight,
    }


def samples(seed, count=3):
    """What dataset.custom_dataset gives, without its jitter of colours."""
    rng = np.random.RandomState(seed)
    np.random.seed(seed)
    images, scores, geos, ignored = [], [], [], []
    for _ in range(count):
        image = Image.fromarray(rng.randint(0, 255, (80, 90, 3)).astype("uint8"))
        lines = ["8,8,60,12,58,40,6,36,text\n", "50,50,70,50,70,62,50,62,###\n"]
        vertices, labels = dataset.extract_vertices(lines)
        image, vertices = dataset.adjust_height(image, vertices)
        image, vertices = dataset.rotate_img(image, vertices)
        image, vertices = dataset.crop_img(image, vertices, labels, SIZE)
        score, geo, ignore = dataset.get_score_geo(image, vertices, labels, 0.25, SIZE)
        images.append(detect.load_pil(image)[0])
        scores.append(score)
        geos.append(geo)
        ignored.append(ignore)
    return torch.stack(images), torch.stack(scores), torch.stack(geos), torch.stack(ignored)


def restored(model, image):
    score, geo = model(image)
    boxes = score.squeeze(0).detach().cpu().numpy()[0], geo.squeeze(0).detach().cpu().numpy()
    positions = np.argwhere(boxes[0] > 0.3)[:, ::-1][:5]
    polygons, index = detect.restore_polys(
        positions, boxes[1][:, positions[:, 1], positions[:, 0]], (SIZE, SIZE)
    )
    return np.array([len(index)], dtype="float32"), polygons


def forward(model):
    model.eval()
    image, score, geo, ignored = samples(0)
    features = model.extractor(image)
    return {
        "targets": [score, geo, ignored],
        "features": [feature.mean() for feature in features],
        "merged": lambda: model.merge(features),
        "maps": lambda: model(image),
        "dice": lambda: get_dice_loss(score, model(image)[0] * (1 - ignored)),
        "geometry": lambda: get_geo_loss(geo, model(image)[1]),
        "restored": lambda: restored(model, image[:1]),
    }


def train(model):
    """The steps of train.train, whose data are pictures on a disk."""
    epoch_iter = 4
    criterion = Loss()
    device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
    model.to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-4)
    scheduler = lr_scheduler.MultiStepLR(optimizer, milestones=[epoch_iter // 2], gamma=0.1)
    losses = []
    for epoch in range(3):
        model.train()
        scheduler.step()
        img, gt_score, gt_geo, ignored_map = (part.to(device) for part in samples(10 + epoch))
        pred_score, pred_geo = model(img)
        loss = criterion(gt_score, pred_score, gt_geo, pred_geo, ignored_map)
        losses.append(loss.item())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(optimizer.param_groups[0]["lr"])
    return {
        "losses": np.array(losses),
        "loc": model.output.conv2.weight,
        "merge": model.merge.conv4.weight,
        "mean": model.extractor.features[1].running_mean,
    }
