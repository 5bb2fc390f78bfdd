import pathlib


def torch_cpu_capability():
    """The vector instructions of the processor as PyTorch names them: AVX512, AVX2 or DEFAULT; Linux only."""
    cpuinfo = pathlib.Path("/proc/cpuinfo")
    flags = set(cpuinfo.read_text(encoding="utf-8").split()) if cpuinfo.exists() else set()
    if {"avx512f", "avx512bw", "avx512dq", "avx512vl"} <= flags:
        return "AVX512"
    return "AVX2" if {"avx2", "fma"} <= flags else "DEFAULT"
