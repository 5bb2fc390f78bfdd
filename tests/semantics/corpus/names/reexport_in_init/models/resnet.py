def resnet(kind):
    net = kind()
    net.width *= 2
    return net
