"""A standalone cluster of Spark on this machine, from the package alone: a master and workers."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HOST = "127.0.0.1"
MASTER, WORKER = (f"org.apache.spark.deploy.{name}" for name in ("master.Master", "worker.Worker"))


class Cluster:
    """A master and its workers, each with its executors in a process group of its own."""

    def __init__(self, folder: Path, *, workers: int, memory: str) -> None:
        import pyspark

        home = Path(pyspark.__file__).parent
        self._start = [str(home / "bin" / "spark-class")]
        self._environment = {**os.environ, "SPARK_LOCAL_IP": HOST, "SPARK_HOME": str(home)}
        self._folder = folder
        self._processes: list[subprocess.Popen[bytes]] = []
        self._launch("master", MASTER, "--host", HOST, "--port", "0", "--webui-port", "0")
        self.url = self._awaited("master", r"spark://[\d.]+:[1-9]\d*")
        for number in range(workers):
            limits = ("--cores", "1", "--memory", memory, "--webui-port", "0", "--host", HOST)
            place = ("--work-dir", str(folder / f"work-{number}"))
            self._launch(f"worker-{number}", WORKER, *limits, *place, self.url)
        for number in range(workers):
            self._awaited(f"worker-{number}", "Successfully registered with master")

    def kill(self, worker: int) -> None:
        """End a worker and its executors at once, as a machine that loses its power does."""
        os.killpg(self._processes[1 + worker].pid, signal.SIGKILL)
        children = self._folder / f"work-{worker}"
        for process in Path("/proc").glob("[0-9]*"):  # executors have groups of their own
            try:
                if os.readlink(process / "cwd").startswith(str(children)):  # noqa: PTH115
                    os.kill(int(process.name), signal.SIGKILL)
            except OSError:
                continue

    def stop(self) -> None:
        """End every process that was started."""
        for number in range(len(self._processes) - 1):
            self.kill(number)
        os.killpg(self._processes[0].pid, signal.SIGKILL)
        for process in self._processes:
            process.wait(timeout=60)

    def _launch(self, name: str, *command: str) -> None:
        with (self._folder / f"{name}.log").open("wb") as log:
            process = subprocess.Popen(
                [*self._start, *command],
                stdout=log,
                stderr=log,
                env=self._environment,
                start_new_session=True,
            )
        self._processes.append(process)

    def _awaited(self, name: str, pattern: str, seconds: float = 300.0) -> str:
        """Return what a process writes as soon as it does."""
        path, until = self._folder / f"{name}.log", time.monotonic() + seconds
        while time.monotonic() < until:
            match = re.search(pattern, path.read_text("utf-8", "replace"))
            if match:
                return match[0]
            select_wait()
        raise TimeoutError(f"{name}: {path.read_text('utf-8', 'replace')[-2000:]}")


def select_wait() -> None:
    """Leave the processor to others for a moment."""
    select.select([], [], [], 0.2)


@contextmanager
def started(folder: Path, *, workers: int = 2, memory: str = "2g") -> Iterator[Cluster]:
    """Run a cluster as long as the block."""
    cluster = Cluster(folder, workers=workers, memory=memory)
    try:
        yield cluster
    finally:
        cluster.stop()
