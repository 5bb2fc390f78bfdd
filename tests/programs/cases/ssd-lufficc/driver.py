import os
import tempfile
import types

import numpy as np
import torch
from PIL import Image

import train as program
from ssd.config import cfg
from ssd.data.transforms import build_target_transform
from ssd.engine.inference import do_evaluation
from ssd.layers import L2Norm
from ssd.modeling.anchors.prior_box import PriorBox
from ssd.modeling.backbone.vgg import add_extras, add_vgg, vgg_base
from ssd.modeling.box_head.loss import MultiBoxLoss
from ssd.modeling.detector import build_detection_model
from ssd.structures.container import Container
from ssd.utils import box_utils
from ssd.utils.metric_logger import MetricLogger
from ssd.utils.nms import batched_nms

START = cfg.clone()
cfg.MODEL.DEVICE = "cpu"
cfg.MODEL.BACKBONE.PRETRAINED = False
cfg.MODEL.BOX_HEAD.PREDICTOR = "SSDLiteBoxPredictor"
cfg.MODEL.NUM_CLASSES = 21
cfg.MODEL.PRIORS.FEATURE_MAPS = [6, 3, 2, 1, 1, 1]
cfg.MODEL.PRIORS.STRIDES = [16, 32, 48, 96, 96, 96]
cfg.MODEL.PRIORS.MIN_SIZES = [18, 32, 45, 58, 72, 86]
cfg.MODEL.PRIORS.MAX_SIZES = [32, 45, 58, 72, 86, 99]
cfg.MODEL.PRIORS.ASPECT_RATIOS = [[2, 3]] * 6
cfg.MODEL.PRIORS.BOXES_PER_LOCATION = [6] * 6
cfg.INPUT.IMAGE_SIZE = 96
cfg.DATASETS.TRAIN = ("voc_2007_trainval", "voc_2012_trainval")
cfg.DATASETS.TEST = ("voc_2007_test",)
cfg.DATA_LOADER.NUM_WORKERS = 0
cfg.SOLVER.BATCH_SIZE = 3
cfg.SOLVER.MAX_ITER = 4
cfg.SOLVER.LR_STEPS = [2, 3]
cfg.SOLVER.WARMUP_ITERS = 2
cfg.SOLVER.LR = 1e-4
cfg.TEST.BATCH_SIZE = 2
cfg.TEST.CONFIDENCE_THRESHOLD = 0.05


def configured(name, channels):
    settings = cfg.clone()
    settings.MODEL.BACKBONE.NAME = name
    settings.MODEL.BACKBONE.OUT_CHANNELS = channels
    return settings


vgg_base["300"] = [8, 8, "M", 16, 16, "M", 32, 32, 32, "C", 512, 16, 512, "M", 16, 16, 512]
FULL = configured("vgg", (512, 1024, 512, 256, 256, 256))
FULL.INPUT.IMAGE_SIZE = 300
FULL.TEST.CONFIDENCE_THRESHOLD = 0.3
FULL.MODEL.PRIORS = START.MODEL.PRIORS
FULL.MODEL.BOX_HEAD.PREDICTOR = "SSDBoxPredictor"
V2 = configured("mobilenet_v2", (96, 1280, 512, 256, 256, 64))
V3 = configured("mobilenet_v3", (112, 960, 512, 256, 256, 64))


def build():
    return build_detection_model(FULL), build_detection_model(V2), build_detection_model(V3)


def init():
    torch.manual_seed(1)
    net = build_detection_model(V2)
    return {
        "first": net.backbone.features[0][0].weight,
        "norm": net.backbone.features[3].conv[0][1].weight,
        "extra": net.backbone.extras[1].conv[0][0].weight,
        "header": net.box_head.predictor.cls_headers[5].weight,
    }


def array(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def boxes(seed, rows):
    draw = np.random.RandomState(seed)
    corner = draw.rand(rows, 2) * 0.5
    return torch.from_numpy(np.concatenate([corner, corner + 0.1 + 0.3 * draw.rand(rows, 2)], 1).astype("float32"))


def forward(net, small, other):
    for one in (net, small, other):
        one.eval()
    settings = cfg.clone()

    def detected(one, size=96):
        found = one(array(1, 2, 3, size, size))
        return [values for each in found for values in (each["boxes"], each["scores"], each["labels"])]

    def matched():
        locations, labels = build_target_transform(settings)(boxes(3, 3).numpy(), np.array([4, 2, 9]))
        return [locations, labels]

    def lost():
        labels = torch.from_numpy(np.random.RandomState(5).randint(0, 3, (2, 30)) // 2 * 4)
        return list(MultiBoxLoss(3)(array(6, 2, 30, 6), array(7, 2, 30, 4), labels, array(8, 2, 30, 4)))

    def contained():
        one = Container(boxes=10 * boxes(9, 2), labels=torch.tensor([1, 2]))
        one.img_width, one.img_height = 20, 10
        moved = one.to("cpu").resize((40, 30))
        return [moved["boxes"], sorted(moved) == ["boxes", "labels"], moved.numpy()["boxes"]]

    def logged():
        meters = MetricLogger()
        meters.update(loss=torch.tensor(2.5), time=1.0)
        meters.update(loss=torch.tensor(1.5), time=3.0)
        return [meters.loss.avg, meters.loss.median, meters.time.global_avg, len(str(meters))]

    def layered():
        x = array(10, 1, 3, 40, 40)
        for layer in add_vgg([4, "M", 8, "C", 512])[:8]:
            x = layer(x)
        return x

    with torch.no_grad():
        return {
            "detected": lambda: detected(net, 300),
            "small": lambda: detected(small),
            "others": lambda: detected(other),
            "priors": lambda: PriorBox(settings)(),
            "matched": matched,
            "lost": lost,
            "iou": lambda: box_utils.iou_of(boxes(1, 4).unsqueeze(0), boxes(2, 3).unsqueeze(1)),
            "nms": lambda: batched_nms(boxes(4, 9), array(11, 9), torch.arange(9) % 2, 0.3),
            "normalized": lambda: L2Norm(6, 20)(array(12, 2, 6, 3, 3)),
            "contained": contained,
            "logged": logged,
            "layered": lambda: list(layered().shape),
            "extras": lambda: [len(add_extras([8, "S", 4, 2], 6, size)) for size in (300, 512)],
            "base": lambda: len(vgg_base["300"]),
        }


XML = "<object><name>{}</name><difficult>{}</difficult><bndbox><xmin>{}</xmin><ymin>{}</ymin><xmax>{}</xmax><ymax>{}</ymax></bndbox></object>"


def written(folder, parts):
    for inside in ("Annotations", "ImageSets/Main", "JPEGImages"):
        os.makedirs(f"{folder}/{inside}")
    row = 0
    for part, count in parts.items():
        names = []
        for _ in range(count):
            draw, row = np.random.RandomState(row), row + 1
            names.append(f"{row:06d}")
            Image.fromarray(draw.randint(0, 255, (90, 120, 3)).astype("uint8")).save(f"{folder}/JPEGImages/{row:06d}.jpg")
            found = [
                XML.format(("cat", "dog", "person")[number], int(number == 2), 5 + row, 4, 60 + 10 * number, 70)
                for number in range(1 + row % 3)
            ]
            size = "<size><width>120</width><height>90</height></size>"
            with open(f"{folder}/Annotations/{row:06d}.xml", "w") as file:
                file.write("<annotation>" + size + "".join(found) + "</annotation>")
        with open(f"{folder}/ImageSets/Main/{part}.txt", "w") as file:
            file.write("".join(f"{name}\n" for name in names))


def run(settings, net, arguments):
    program.build_detection_model = lambda cfg: net
    return program.train(settings, arguments)


def train(net, small, other):
    results, output = {}, tempfile.TemporaryDirectory()
    with output as folder:
        written(f"{folder}/VOC2007", {"trainval": 4, "test": 3})
        written(f"{folder}/VOC2012", {"trainval": 2})
        os.environ["VOC_ROOT"] = folder
        arguments = types.SimpleNamespace(
            distributed=False, num_gpus=1, log_step=1, save_step=2, eval_step=3, use_tensorboard=False
        )
        FULL.OUTPUT_DIR = f"{folder}/kept"
        os.makedirs(FULL.OUTPUT_DIR)
        run(FULL, net, arguments)
        kept = torch.load(f"{folder}/kept/model_000002.pth", weights_only=False)
        results["kept"] = [kept["iteration"], kept["scheduler"]["last_epoch"]]
        results["moment"] = kept["optimizer"]["state"][0]["momentum_buffer"]
        final = torch.load(f"{folder}/kept/model_final.pth", weights_only=False)
        results["rate"] = final["optimizer"]["param_groups"][0]["lr"]
        FULL.SOLVER.MAX_ITER = 5
        again = build_detection_model(FULL)
        run(FULL, again, arguments)
        results["resumed"] = again.box_head.predictor.reg_headers[5].bias
        found = do_evaluation(FULL, again, distributed=False, iteration=9)
        results["scores"] = [sorted(found[0]["metrics"])[-1] == "tvmonitor", len(found[0]["metrics"])]
    losses = []
    optimizer = torch.optim.SGD(other.box_head.parameters(), lr=1e-3)
    for step in range(2):
        other.eval()
        features = [one.detach() for one in other.backbone(array(31 + step, 3, 3, 96, 96))]
        other.box_head.train()
        targets = {"boxes": array(30, 3, 312, 4), "labels": torch.arange(936).view(3, 312) % 5 // 4}
        _, loss = other.box_head(features, targets)
        total = sum(loss.values())
        optimizer.zero_grad()
        total.backward()
        optimizer.step()
        losses += [loss["reg_loss"].item(), loss["cls_loss"].item()]
    return {
        **results,
        "losses": losses,
        "first": net.backbone.vgg[0].weight,
        "norm": net.backbone.l2_norm.weight,
        "extra": net.backbone.extras[3].weight,
        "header": net.box_head.predictor.cls_headers[1].weight,
        "other_header": other.box_head.predictor.reg_headers[5].weight,
    }
