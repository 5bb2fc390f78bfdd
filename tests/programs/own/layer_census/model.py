from torch import nn


class Net(nn.Module):
    def __init__(self, norm=nn.BatchNorm2d, act=nn.LeakyReLU):
        super().__init__()
        self.body = nn.ModuleList(
            [
                nn.Sequential(nn.Conv2d(3, 8, 3, padding=1, bias=False), norm(8), act(0.1)),
                nn.Sequential(nn.Conv2d(8, 8, 3, padding=1), nn.InstanceNorm2d(8, affine=True), nn.LeakyReLU(0.3)),
                nn.Sequential(nn.ConvTranspose2d(8, 8, 2, 2), nn.GroupNorm(2, 8), nn.ReLU(), nn.MaxPool2d(2)),
            ]
        )
        self.pool = nn.AvgPool2d(2)
        self.head = nn.Linear(8 * 16, 5)

    def forward(self, x):
        for block in self.body:
            x = block(x)
        return self.head(self.pool(x).flatten(1))
