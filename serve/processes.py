"""Which processes belong to an instance, and how they are ended.

Ray, HAProxy and Valkey are children of children; some outlive the process that started them (HAProxy does,
when its manager is killed). Each inherits one environment variable that names the instance, so what to end is
read from the kernel, and a process of anybody else can never be among it.

Only the standard library, so that this file also runs alone as the instance's watchman: a small process that
waits on a pipe for the launcher's death and then ends what is left (``kill -9`` gives nobody else a chance).
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

MARK = "MAVEN_INSTANCE"
_PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class Process:
    """One live process: ``started`` (clock ticks since boot) tells it from a later owner of the same pid."""

    pid: int
    parent: int
    started: int
    name: str

    def alive(self) -> bool:
        """Whether it still runs; a zombie does not."""
        now = look(self.pid)
        return now is not None and now.started == self.started


def look(pid: int) -> Process | None:
    """The process ``pid``; none if it is gone, a zombie, or hidden."""
    try:
        line = (_PROC / str(pid) / "stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    # the name is in parentheses and may hold spaces and parentheses of its own
    head, _, tail = line.rpartition(")")
    fields = tail.split()
    if fields[0] in "ZX":
        return None
    return Process(pid, int(fields[1]), int(fields[19]), head.partition("(")[2])


def belonging(instance: str) -> list[Process]:
    """Every live process marked ``instance``, and every descendant of one; never this process.

    ``instance`` is the path of its run folder. Ray's agents write their new name over their mark; they are
    known by their parent and, once orphaned (they outlive a killed raylet by a minute), by their open files.
    """
    needle = f"{MARK}={instance}".encode()
    everyone: dict[int, Process] = {}
    ours: set[int] = set()
    for entry in _PROC.iterdir():
        if not entry.name.isdigit() or (process := look(int(entry.name))) is None:
            continue
        everyone[process.pid] = process
        with contextlib.suppress(OSError):
            marked = needle in (entry / "environ").read_bytes().split(b"\0")
            if marked or (process.name.startswith("ray::") and _writes_under(entry, instance)):
                ours.add(process.pid)
    mine = os.getpid()
    ours.discard(mine)  # a descendant of this process counts only by its own mark
    grew = True
    while grew:
        more = {p.pid for p in everyone.values() if p.parent in ours and p.pid != mine} - ours
        ours |= more
        grew = bool(more)
    return [everyone[pid] for pid in sorted(ours)]


def _writes_under(entry: Path, folder: str) -> bool:
    """Whether the process at ``/proc/<pid>`` has a file open below ``folder``."""
    for descriptor in (entry / "fd").iterdir():
        with contextlib.suppress(OSError):  # closed since it was listed
            if os.readlink(descriptor).startswith(folder + "/"):
                return True
    return False


def end(processes: list[Process], grace_s: float) -> list[Process]:
    """Ask each to stop, wait ``grace_s`` seconds, then kill. Gives those that had to be killed."""
    _signal(processes, signal.SIGTERM)
    deadline = time.monotonic() + grace_s
    left = [process for process in processes if process.alive()]
    while left and time.monotonic() < deadline:
        time.sleep(0.05)
        left = [process for process in left if process.alive()]
    _signal(left, signal.SIGKILL)
    for _ in range(40):  # the kernel takes a moment; two seconds at most
        if not any(process.alive() for process in left):
            break
        time.sleep(0.05)
    return left


def end_all(instance: str, grace_s: float) -> list[Process]:
    """``end`` for all of ``instance``, twice: a manager on its way out may start a last child."""
    killed = end(belonging(instance), grace_s)
    return killed + end(belonging(instance), 0.0)


def _signal(processes: list[Process], number: signal.Signals) -> None:
    for process in processes:
        if process.alive():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(process.pid, number)


class Watchman:
    """Ends the instance when this process dies without saying so."""

    def __init__(self, instance: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", __file__, instance],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # a Ctrl-C in the terminal is not for it
        )

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    def dismiss(self) -> None:
        """Send it home: nothing is left to watch."""
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            self._process.communicate(b"done", timeout=2)
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()


def _watch(instance: str) -> None:
    said = sys.stdin.buffer.read()  # returns when the other end is closed, by hand or by death
    if said != b"done":
        end_all(instance, grace_s=1.0)


if __name__ == "__main__":
    _watch(sys.argv[1])
