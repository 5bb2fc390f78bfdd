from .large import Net, WIDTH
