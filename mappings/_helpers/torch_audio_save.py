def torch_audio_save(
    uri, src, sample_rate, channels_first=True, format=None, encoding=None, bits_per_sample=None, **unused
):
    """torchaudio's save: writes samples to a file of sound, by soundfile. Floating-point numbers are written as such,
    where the file can hold them and nothing else is asked for."""
    import soundfile

    samples = src.asnumpy()
    is_float = samples.dtype.kind == "f"
    known = {8: "PCM_U8", 16: "PCM_16", 24: "PCM_24", 32: "FLOAT" if is_float else "PCM_32"}
    if encoding == "PCM_S" and bits_per_sample is None:
        bits_per_sample = 16
    kind = "PCM_32" if (encoding, bits_per_sample) == ("PCM_S", 32) else known.get(bits_per_sample)
    name = format or (uri if isinstance(uri, str) else getattr(uri, "name", "")).rpartition(".")[2]
    if kind is None and name.lower() == "wav":
        kind = "FLOAT" if is_float else known[8 * samples.dtype.itemsize]
    soundfile.write(uri, samples.T if channels_first else samples, sample_rate, kind, format=format)
