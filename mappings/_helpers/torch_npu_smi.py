import subprocess


def torch_npu_smi(kind, label):
    """What the driver's tool of Ascend says of the first card: the number after the first label that begins so."""
    text = subprocess.check_output(["npu-smi", "info", "-t", kind, "-i", "0"], text=True)
    for line in text.splitlines():
        name, _, value = line.partition(":")
        if label in name:
            return float(value)
    raise RuntimeError(f"npu-smi says nothing about {label}")
