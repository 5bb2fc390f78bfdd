import numpy as np
import torch
import torch.optim as optim
from torch.autograd import Variable

import net_sphere


def pictures(seed, size=2):
    return torch.from_numpy(np.random.RandomState(seed).uniform(-1, 1, (size, 3, 32, 32)).astype("float32")).float()


def build():
    return (
        getattr(net_sphere, "sphere20a")(classnum=7),
        net_sphere.AngleLinear(12, 5, phiflag=False),
    )


def forward(net, angles):
    net.eval()
    x = torch.from_numpy(np.random.RandomState(2).randn(3, 12).astype("float32"))
    return {"net": lambda: net(pictures(1)), "angles": lambda: angles(x)}


def save_model(model, filename):
    state = model.state_dict()
    for key in state:
        state[key] = state[key].clone().cpu()
    torch.save(state, filename)


def train(net, angles):
    def faces():
        criterion = net_sphere.AngleLoss()
        optimizer = optim.SGD(net.parameters(), lr=0.001, momentum=0.9, weight_decay=5e-4)
        train_loss, correct, total, kept = 0, 0, 0, []
        net.train()
        for step in range(3):
            inputs = pictures(step)
            label = np.random.RandomState(step).randint(0, 7, (2, 1)).astype(np.float32)
            targets = torch.from_numpy(label[:, 0]).long()
            optimizer.zero_grad()
            inputs, targets = Variable(inputs), Variable(targets)
            outputs = net(inputs)
            loss = criterion(outputs, targets)
            loss.backward()
            optimizer.step()
            train_loss += loss.data.item()
            outputs = outputs[0]
            _, predicted = torch.max(outputs.data, 1)
            total += targets.size(0)
            correct += predicted.eq(targets.data).cpu().sum()
            line = "Loss=%.4f | AccT=%.4f%% (%d/%d) %.4f %d" % (
                train_loss / (step + 1), 100.0 * correct / total, correct, total, criterion.lamb, criterion.it,
            )  # fmt: skip
            kept.append(loss)
        assert line.startswith("Loss")
        save_model(net, "sphere.pth")
        net.load_state_dict(torch.load("sphere.pth"))
        return kept + [criterion.lamb, net.fc6.weight, net.conv1_1.weight, net.relu4_3.weight]

    def alone():
        optimizer = optim.SGD(angles.parameters(), lr=0.1)
        criterion = net_sphere.AngleLoss(gamma=2)
        kept = []
        for step in range(3):
            x = torch.from_numpy(np.random.RandomState(step).randn(4, 12).astype("float32"))
            optimizer.zero_grad()
            loss = criterion(angles(x), torch.tensor([0, 1, 4, 2]))
            loss.backward()
            optimizer.step()
            kept.append(loss.item())
        return kept + [angles.weight]

    return {"faces": faces, "angles": alone}
