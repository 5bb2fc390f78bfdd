class TorchMemRecordsAcc:
    """PyTorch's MemRecordsAcc: finds the records that begin in an interval."""

    def __init__(self, mem_records):
        self.mem_records = sorted(mem_records, key=lambda record: record[0].start_ns())

    def in_interval(self, start_ns, end_ns):
        return (record for record in self.mem_records if start_ns <= record[0].start_ns() <= end_ns)
