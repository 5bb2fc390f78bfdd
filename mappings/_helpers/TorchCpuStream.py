class TorchCpuStream:
    """PyTorch's stream of the CPU, which runs everything in order: nothing has to be waited for."""

    def __init__(self, priority=-1):
        pass

    def wait_stream(self, stream):
        pass

    def record_event(self):
        pass

    def wait_event(self, event):
        pass
