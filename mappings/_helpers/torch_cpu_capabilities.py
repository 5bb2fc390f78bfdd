import collections
import pathlib


def torch_cpu_capabilities():
    """The vector instructions of the processor under PyTorch's names, False for others; Linux on x86 only."""
    cpuinfo = pathlib.Path("/proc/cpuinfo")
    flags = cpuinfo.read_text(encoding="utf-8").split() if cpuinfo.exists() else []
    renamed = {"pni": "sse3", "abm": "lzcnt", "fma": "fma3", "bmi1": "bmi", "sha_ni": "sha"}
    capabilities = collections.defaultdict(bool)
    capabilities.update({renamed.get(flag, flag): True for flag in flags})
    return capabilities
