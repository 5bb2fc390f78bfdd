class TorchCudart:
    """Stands for the CUDA library where MindSpore calls it by itself: memory is not pinned, no profiler of the driver
    is started, and nothing fails. Each call gives 0, which means success."""

    class cudaError:
        success = 0

    def cudaProfilerStart(self):
        return 0

    def cudaProfilerStop(self):
        return 0

    def cudaHostRegister(self, pointer, size, flags):
        return 0

    def cudaHostUnregister(self, pointer):
        return 0

    def cudaGetErrorString(self, error):
        return f"error {error}"
