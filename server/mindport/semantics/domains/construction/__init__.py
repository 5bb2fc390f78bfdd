"""What constructors make: networks, the layers and parameters in them, and how many numbers these hold."""
