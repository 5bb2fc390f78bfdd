"""What vocoders call of librosa on the way to a mel spectrogram, in NumPy; the rest of it is not run."""
