import numpy as np
import torch

from learning3d.examples import train_pcn, train_pointnet, train_rpmnet
from learning3d.losses import ChamferDistanceLoss, ClassificationLoss, CorrespondenceLoss, FrobeniusNormLoss
from learning3d.models import (
    DCP,
    DGCNN,
    PCN,
    Classifier,
    MaskNet,
    PointNet,
    PointNetLK,
    PPFNet,
    RPMNet,
    Segmentation,
    iPCRNet,
)
from learning3d.ops import quaternion, se3, so3
from learning3d.ops.transform_functions import (
    convert2transformation,
    euler_to_quaternion,
    quat2mat,
    transform_point_cloud,
)

POINTS = 32


def build():
    classifier = Classifier(PointNet(emb_dims=32, use_bn=True), num_classes=4)
    classifier.dropout1.p = classifier.dropout2.p = 0.0
    return (
        classifier,
        PCN(emb_dims=64, num_coarse=16, grid_size=2, detailed_output=False),
        RPMNet(feature_model=PPFNet(emb_dims=16, num_neighbors=8)),
        DCP(feature_model=DGCNN(emb_dims=32), cycle=False),
        PointNetLK(feature_model=PointNet(emb_dims=32, use_bn=True)),
        iPCRNet(feature_model=PointNet(emb_dims=1024)),
        Segmentation(PointNet(emb_dims=32, global_feat=False), num_classes=5),
    )


def clouds(seed, normals=False):
    rng = np.random.RandomState(seed)
    template = rng.uniform(-0.5, 0.5, (3, POINTS, 3)).astype("float32")
    igt = se3.exp(torch.from_numpy(rng.uniform(-0.3, 0.3, (3, 6)).astype("float32")))
    template = torch.from_numpy(template)
    source = se3.transform(igt.unsqueeze(1), template)
    if normals:
        directions = torch.nn.functional.normalize(
            torch.from_numpy(rng.randn(3, POINTS, 3).astype("float32")), dim=2
        )
        template = torch.cat([template, directions], dim=2)
        turned = se3.transform((igt * torch.tensor([1.0, 1.0, 1.0, 0.0])).unsqueeze(1), directions)
        source = torch.cat([source, turned], dim=2)
    return template, source, igt


def geometry():
    rng = np.random.RandomState(9)
    twist = torch.from_numpy(rng.uniform(-1, 1, (4, 6)).astype("float32"))
    angles = euler_to_quaternion(rng.uniform(-1, 1, (4, 3)), "xyz")
    q = torch.nn.functional.normalize(torch.from_numpy(angles.astype("float32")), dim=1)
    g = se3.exp(twist)
    return [
        g,
        se3.log(g),
        so3.exp(twist[:, :3]),
        so3.log(so3.exp(twist[:, :3])),
        quat2mat(q),
        quaternion.qmul(q, q.flip(0)),
        quaternion.qrot(q, twist[:, :3]),
        transform_point_cloud(clouds(4)[0][:1].repeat(4, 1, 1), q, twist[:, 3:]),
        convert2transformation(quat2mat(q), twist[:, 3:]),
    ]


def forward(classifier, pcn, rpm, dcp, lk, pcr, segmentation):
    for net in classifier, pcn, rpm, dcp, lk, pcr, segmentation:
        net.eval()
    template, source, igt = clouds(0)
    pose = ("est_R", "est_t", "est_T", "transformed_source")
    return {
        "classes": classifier(template),
        "geometry": geometry,
        "completed": lambda: pcn(template)["coarse_output"],
        "chamfer": lambda: ChamferDistanceLoss()(template, source),
        "frobenius": lambda: FrobeniusNormLoss()(igt, igt.flip(0)),
        "rpm": lambda: rpm(*clouds(1, normals=True)[:2])["est_T"],
        "dcp": lambda: [dcp(template, source)[name] for name in pose],
        "lk": lambda: [lk(template, source, 2)[name] for name in pose],
        "pcr": lambda: [pcr(template, source, 2)[name] for name in pose],
        "segmentation": lambda: segmentation(template),
    }


def train(classifier, pcn, rpm, dcp, lk, pcr, segmentation):
    losses = []
    rng = np.random.RandomState(5)
    labels = torch.from_numpy(rng.randint(0, 4, (3, 1)))
    device = torch.device("cpu")
    optimizer = torch.optim.Adam(filter(lambda p: p.requires_grad, classifier.parameters()), lr=1e-4)
    for step in range(2):
        losses += train_pointnet.train_one_epoch(device, classifier, [(clouds(step)[0], labels)], optimizer)
    optimizer = torch.optim.Adam(pcn.parameters(), lr=1e-4)
    for step in range(2):
        losses.append(train_pcn.train_one_epoch(device, pcn, [(clouds(step)[0], labels)], optimizer))
    optimizer = torch.optim.Adam(rpm.parameters(), lr=1e-4)
    for step in range(2):
        losses.append(train_rpmnet.train_one_epoch(device, rpm, [clouds(step, normals=True)], optimizer))
    optimizer = torch.optim.SGD(lk.parameters(), lr=1e-3)
    for step in range(2):
        template, source, igt = clouds(10 + step)
        lk.train()
        output = lk(template, source, 2)
        loss = FrobeniusNormLoss()(output["est_T"], igt)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return {
        "losses": losses,
        "classifier": classifier.linear1.weight,
        "pcn": pcn.conv4.weight,
        "rpm": rpm.weights_net.prepool[0].weight,
        "lk": lk.feature_model.conv1.weight,
        "lk_mean": lk.feature_model.bn1.running_mean,
    }
