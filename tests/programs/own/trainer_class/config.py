from dataclasses import dataclass


@dataclass
class Config:
    num_features: int = 12
    num_classes: int = 4
    hidden: int = 32
    depth: int = 2
    batch_size: int = 8
    epochs: int = 2
    lr: float = 1e-3
    weight_decay: float = 1e-2
    grad_clip: float = 1.0
    checkpoint: str = "best.pt"
