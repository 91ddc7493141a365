"""The decision: what an utterance is, which stage said so, and who lost.

Pure Python: no Ray, no ONNX, no Redis, no HTTP and no clock of its own. Everything that varies (the time, the
zone, the allowlisted functions, the statistical stages) comes in as an argument.
"""
