class TorchBackendConfig:
    """PyTorch's BackendConfig: which library sends tensors of which kind of device."""

    def __init__(self, backend):
        name = str(backend).lower()
        if ":" in name:
            self.device_backend_map = dict(part.split(":") for part in name.split(","))
        else:
            kinds = {"nccl": ("cuda",), "hccl": ("npu",), "xccl": ("xpu",)}.get(name, ("cpu", "cuda"))
            self.device_backend_map = dict.fromkeys(kinds, name)

    def get_device_backend_map(self):
        return self.device_backend_map

    def __repr__(self):
        return ",".join(f"{device}:{name}" for device, name in self.device_backend_map.items())
