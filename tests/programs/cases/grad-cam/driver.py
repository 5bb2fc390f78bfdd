import numpy as np
import torch
import torch.nn as nn

from pytorch_grad_cam import (
    AblationCAM,
    EigenCAM,
    EigenGradCAM,
    FullGrad,
    GradCAM,
    GradCAMElementWise,
    GradCAMPlusPlus,
    GuidedBackpropReLUModel,
    HiResCAM,
    LayerCAM,
    ScoreCAM,
    XGradCAM,
)
from pytorch_grad_cam.metrics.road import ROADMostRelevantFirst
from pytorch_grad_cam.utils import image, model_targets
from pytorch_grad_cam.utils.find_layers import find_layer_types_recursive
from pytorch_grad_cam.utils.reshape_transforms import vit_reshape_transform

SIZE = 16


class Net(nn.Module):
    """The classifier of somebody who wants to see what it looks at."""

    def __init__(self, classes=5):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 8, 3, padding=1),
            nn.BatchNorm2d(8),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(8, 12, 3, padding=1),
            nn.ReLU(),
        )
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.fc = nn.Linear(12, classes)

    def forward(self, x):
        x = self.pool(self.features(x))
        return self.fc(torch.flatten(x, 1))


def resized(img, size):
    """cv2.resize without OpenCV: the nearest pixel."""
    rows = np.arange(size[1]) * img.shape[0] // size[1]
    columns = np.arange(size[0]) * img.shape[1] // size[0]
    return img[rows][:, columns]


image.cv2.resize = resized
cam_methods = {
    "grad": GradCAM,
    "plusplus": GradCAMPlusPlus,
    "xgrad": XGradCAM,
    "hires": HiResCAM,
    "layer": LayerCAM,
    "element": GradCAMElementWise,
    "score": ScoreCAM,
    "ablation": AblationCAM,
    "full": FullGrad,
}


def build():
    return Net()


def batch(seed, size=2):
    return torch.from_numpy(np.random.RandomState(seed).randn(size, 3, SIZE, SIZE).astype("float32"))


def seen(method, net, targets=None):
    x = batch(0)
    with method(model=net, target_layers=[net.features[4]]) as cam:
        return torch.from_numpy(np.ascontiguousarray(cam(input_tensor=x, targets=targets)).astype("float32"))


def road(net):
    cams = seen(GradCAM, net).numpy()
    metric = ROADMostRelevantFirst(percentile=75)
    metric.perturbation.imputer.noise = 0.0
    targets = [model_targets.ClassifierOutputTarget(1), model_targets.ClassifierOutputTarget(2)]
    return torch.from_numpy(np.asarray(metric(batch(0), cams, targets, net)))


def forward(net):
    net.eval()
    chosen = [model_targets.ClassifierOutputSoftmaxTarget(1), model_targets.ClassifierOutputSoftmaxTarget(3)]
    outputs = {
        "logits": net(batch(0)),
        "layers": torch.tensor([len(find_layer_types_recursive(net, [nn.ReLU])), len(list(net.modules()))]),
        "tokens": vit_reshape_transform(torch.arange(2 * 197 * 4).reshape(2, 197, 4).float()),
        "softmax": lambda: seen(GradCAM, net, chosen),
        "eigen": lambda: seen(EigenCAM, net).abs(),
        "eigen_grad": lambda: seen(EigenGradCAM, net).abs(),
        "road": lambda: road(net),
        "guided": lambda: torch.from_numpy(GuidedBackpropReLUModel(model=net, device="cpu")(batch(2, 1), target_category=2)),
    }
    for name, method in cam_methods.items():
        outputs[name] = lambda method=method: seen(method, net)
    return outputs


def train(net):
    """Fine-tunes on images of which the unseen half is blanked out, as the maps say."""
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    losses = []
    for step in range(3):
        x, y = batch(10 + step, 4), torch.tensor([0, 3, 1, 4])
        with GradCAM(model=net, target_layers=[net.features[-1]]) as cam:
            maps = cam(input_tensor=x, targets=[model_targets.ClassifierOutputTarget(int(k)) for k in y])
        weights = torch.from_numpy(maps).unsqueeze(1) + 0.5
        net.train()
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x * weights), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return {"losses": losses, "first": net.features[0].weight, "last": net.fc.weight, "mean": net.features[1].running_mean}
