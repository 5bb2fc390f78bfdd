import os
import tempfile

import numpy as np
import torch
import torch.optim as optim
import torch.utils.data
from PIL import Image
from torchvision import transforms

from dataset.data_loader import GetLoader
from models.functions import ReverseLayerF
from models.model import CNNModel

IMAGE_SIZE = 28


def build():
    return CNNModel()


def images(seed, count=4):
    return torch.from_numpy(np.random.RandomState(seed).randn(count, 3, IMAGE_SIZE, IMAGE_SIZE).astype("float32"))


def reversed_gradient():
    x = images(5, 1)
    x.requires_grad = True
    (ReverseLayerF.apply(x, 0.5) ** 2).sum().backward()
    return x.grad


def forward(net):
    net.eval()
    class_output, domain_output = net(input_data=images(0), alpha=0.3)
    return {
        "class": class_output,
        "domain": domain_output,
        "gray": lambda: net(input_data=images(1)[:, :1], alpha=0.0)[0],
        "reversed": reversed_gradient,
        "read": lambda: loader(6)[1].dataset[3][0],
    }


def write_files(folder, count):
    with open(os.path.join(folder, "labels.txt"), "w") as file:
        for index in range(count):
            pixels = np.random.RandomState(30 + index).randint(0, 256, (32, 32, 3)).astype("uint8")
            Image.fromarray(pixels).save(os.path.join(folder, f"{index:08d}.png"))
            file.write(f"{index:08d}.png {index % 10}\n")


def loader(count):
    folder = tempfile.mkdtemp()
    write_files(folder, count)
    img_transform_target = transforms.Compose([
        transforms.Resize(IMAGE_SIZE),
        transforms.ToTensor(),
        transforms.Normalize(mean=(0.5, 0.5, 0.5), std=(0.5, 0.5, 0.5)),
    ])  # fmt: skip
    dataset = GetLoader(
        data_root=folder, data_list=os.path.join(folder, "labels.txt"), transform=img_transform_target
    )
    return folder, torch.utils.data.DataLoader(dataset=dataset, batch_size=4, shuffle=False, num_workers=0)


def train(my_net):
    """The loop of train/main.py, which is Python 2, with its steps as they stand there."""
    digits = torch.utils.data.TensorDataset(images(3, 10)[:, :1], torch.from_numpy(np.arange(10) % 10))
    dataloader_source = torch.utils.data.DataLoader(dataset=digits, batch_size=4, shuffle=False)
    dataloader_target = loader(8)[1]
    optimizer = optim.Adam(my_net.parameters(), lr=1e-4)
    loss_class = torch.nn.NLLLoss()
    loss_domain = torch.nn.NLLLoss()
    for p in my_net.parameters():
        p.requires_grad = True
    n_epoch, losses = 2, []
    for epoch in range(n_epoch):
        len_dataloader = min(len(dataloader_source), len(dataloader_target))
        data_source_iter = iter(dataloader_source)
        data_target_iter = iter(dataloader_target)
        i = 0
        while i < len_dataloader:
            p = float(i + epoch * len_dataloader) / n_epoch / len_dataloader
            alpha = 2.0 / (1.0 + np.exp(-10 * p)) - 1

            # training model using source data
            data_source = next(data_source_iter)
            s_img, s_label = data_source
            my_net.zero_grad()
            batch_size = len(s_label)
            input_img = torch.FloatTensor(batch_size, 3, IMAGE_SIZE, IMAGE_SIZE)
            class_label = torch.LongTensor(batch_size)
            domain_label = torch.zeros(batch_size)
            domain_label = domain_label.long()
            input_img.resize_as_(s_img).copy_(s_img)
            class_label.resize_as_(s_label).copy_(s_label)
            class_output, domain_output = my_net(input_data=input_img, alpha=alpha)
            err_s_label = loss_class(class_output, class_label)
            err_s_domain = loss_domain(domain_output, domain_label)

            # training model using target data
            data_target = next(data_target_iter)
            t_img, _ = data_target
            batch_size = len(t_img)
            input_img = torch.FloatTensor(batch_size, 3, IMAGE_SIZE, IMAGE_SIZE)
            domain_label = torch.ones(batch_size)
            domain_label = domain_label.long()
            input_img.resize_as_(t_img).copy_(t_img)
            _, domain_output = my_net(input_data=input_img, alpha=alpha)
            err_t_domain = loss_domain(domain_output, domain_label)
            err = err_t_domain + err_s_domain + err_s_label
            err.backward()
            optimizer.step()
            i += 1
            losses.append(err_s_label.cpu().data.numpy())
            losses.append(err_s_domain.cpu().data.numpy() + err_t_domain.cpu().data.numpy())
    with tempfile.TemporaryDirectory() as folder:
        path = "{0}/mnist_mnistm_model_epoch_{1}.pth".format(folder, epoch)
        torch.save(my_net, path)
        tested = torch.load(path, weights_only=False)
    tested = tested.eval()
    n_correct = 0
    for t_img, t_label in dataloader_target:
        class_output, _ = tested(input_data=t_img, alpha=0)
        pred = class_output.data.max(1, keepdim=True)[1]
        n_correct += pred.eq(t_label.data.view_as(pred)).cpu().sum()
    return {
        "losses": np.array(losses).reshape(-1),
        "accuracy": n_correct.data.numpy() * 1.0 / 8,
        "conv": my_net.feature.f_conv1.weight,
        "domain": my_net.domain_classifier.d_fc1.weight,
        "running": my_net.feature.f_bn2.running_mean,
    }
