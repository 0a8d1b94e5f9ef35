from pathlib import Path

from switchyard import Switchyard

client = Switchyard()

Path("build.zip").write_bytes(client.builds.download("job_5x2k8q0v7c3m9r1t6w4y0z8b2d"))
