"""What ports read and write files of sound with: WAV of whole numbers by Python's own module, the rest by soundfile.
torchaudio's own functions need FFmpeg, so the expected values are those that were written."""

from __future__ import annotations

import wave
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mindport.mapping.helper_source import with_helpers

pytestmark = pytest.mark.oracle
pytest.importorskip("mindspore")
soundfile = pytest.importorskip("soundfile")

RATE = 8000
WHOLE = np.array([[0, 100], [-3, -100], [7, 127], [90, -128], [-1, 1]])  # of one byte, (frames, channels)


def function(name: str) -> Any:
    names: dict[str, Any] = {}
    exec(with_helpers(f"found = {name}"), names)
    return names["found"]


def write(path: Path, size: int, channels: int) -> np.ndarray:
    """A file of samples of `size` bytes; gives them as numbers from -1 to 1."""
    samples = WHOLE[:, :channels]
    data = (samples + 128 if size == 1 else samples << 8 * (size - 1)).astype("<i8")
    with wave.open(str(path), "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(size)
        file.setframerate(RATE)
        file.writeframes(b"".join(number.tobytes()[:size] for number in data.reshape(-1)))
    return samples / 128


@pytest.mark.parametrize("size", [1, 2, 3, 4])
@pytest.mark.parametrize("channels", [1, 2])
def test_whole_numbers_are_read(tmp_path: Path, size: int, channels: int) -> None:
    load, path = function("torch_audio_load"), tmp_path / "声音 🔊.wav"
    expected = write(path, size, channels)
    found, rate = load(path)
    assert (rate, found.shape, str(found.dtype)) == (RATE, (channels, len(WHOLE)), "Float32")
    assert np.allclose(found.asnumpy(), expected.T, atol=1e-7)
    part, _ = load(str(path), frame_offset=1, num_frames=3, channels_first=False)
    assert np.allclose(part.asnumpy(), expected[1:4], atol=1e-7)
    with path.open("rb") as file:
        assert np.allclose(load(file)[0].asnumpy(), expected.T, atol=1e-7)
    beyond, _ = load(path, frame_offset=9)
    assert beyond.shape == (channels, 0)


def test_they_stay_whole_where_that_is_asked_for(tmp_path: Path) -> None:
    write(tmp_path / "a.wav", 2, 1)
    found, _ = function("torch_audio_load")(tmp_path / "a.wav", normalize=False)
    assert (str(found.dtype), found.asnumpy().tolist()) == ("Int16", [(WHOLE[:, 0] << 8).tolist()])


@pytest.mark.parametrize("name", ["a.wav", "a.flac"])
def test_other_files_are_read_by_soundfile(tmp_path: Path, name: str) -> None:
    samples = (WHOLE / 128).astype(np.float32)
    soundfile.write(tmp_path / name, samples, RATE, "FLOAT" if name.endswith("wav") else "PCM_16")
    found, rate = function("torch_audio_load")(tmp_path / name, 1, 3)
    assert rate == RATE and np.allclose(found.asnumpy(), samples[1:4].T, atol=1e-4)


@pytest.mark.parametrize(
    ("name", "options", "kind"),
    [
        ("a.wav", {}, "FLOAT"),
        ("a.wav", {"encoding": "PCM_S"}, "PCM_16"),
        ("a.wav", {"encoding": "PCM_S", "bits_per_sample": 24}, "PCM_24"),
        ("a.wav", {"bits_per_sample": 16}, "PCM_16"),
        ("a.flac", {}, "PCM_16"),
    ],
)
def test_what_is_saved_is_read_again(tmp_path: Path, name: str, options: dict[str, Any], kind: str) -> None:
    import mindspore

    samples = mindspore.Tensor((WHOLE.T / 128).astype(np.float32))
    function("torch_audio_save")(str(tmp_path / name), samples, RATE, **options)
    assert soundfile.info(tmp_path / name).subtype == kind
    found, rate = function("torch_audio_load")(tmp_path / name)
    assert rate == RATE and np.allclose(found.asnumpy(), samples.asnumpy(), atol=1e-4)
    function("torch_audio_save")(tmp_path / name, samples.T, RATE, channels_first=False, **options)
    assert soundfile.info(tmp_path / name).channels == 2


def test_no_file_says_so(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        function("torch_audio_load")(tmp_path / "none.wav")
