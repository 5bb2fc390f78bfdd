"""The function bench: functions of public packages are ported with their files, and both run on made-up inputs."""
