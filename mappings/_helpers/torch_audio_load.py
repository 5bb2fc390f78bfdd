import mindspore
import numpy


def torch_audio_load(uri, frame_offset=0, num_frames=-1, normalize=True, channels_first=True, **unused):
    """torchaudio's load: the samples of a file of sound, float32 from -1 to 1, and its rate. WAV of whole numbers is
    read here, other files by soundfile."""
    import wave  # programs often call their samples so

    try:
        with wave.open(getattr(uri, "__fspath__", lambda: uri)()) as file:
            rate, size, channels = file.getframerate(), file.getsampwidth(), file.getnchannels()
            count = file.getnframes()
            file.setpos(min(frame_offset, count))
            data = file.readframes(count if num_frames < 0 else num_frames)
    except (wave.Error, EOFError):
        import soundfile

        if hasattr(uri, "seek"):
            uri.seek(0)
        kind = "float32" if normalize else "int16"
        samples, rate = soundfile.read(uri, num_frames, frame_offset, dtype=kind, always_2d=True)
    else:
        if size == 3:  # with a byte of zeros below
            whole = numpy.zeros((len(data) // 3, 4), numpy.uint8)
            whole[:, 1:] = numpy.frombuffer(data, numpy.uint8).reshape(-1, 3)
            samples, size = whole.view("<i4"), 4
        else:
            samples = numpy.frombuffer(data, "u1" if size == 1 else f"<i{size}")
        samples = samples.reshape(-1, channels)
        if normalize:
            samples = (samples.astype(numpy.float32) - 128 * (size == 1)) / 2.0 ** (8 * size - 1)
    samples = samples.T if channels_first else samples
    return mindspore.tensor(numpy.ascontiguousarray(samples)), rate
