"""A cable between the browser and the app that a test can pull: bytes are passed on, or every connection breaks."""

import contextlib
import socket
import threading
import time

CONNECT_SECONDS = 5.0
"""Seconds that the app has to take a connection: nobody can pull the cable meanwhile."""


class Cable:
    """Listens on a loopback port of its own and passes on to another. Made plugged in."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._ends: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._is_plugged = True
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._door.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def pull(self) -> None:
        """Every connection breaks, and new ones break at once."""
        with self._lock:
            self._is_plugged = False
            ends, self._ends = self._ends, set()
        for end in ends:
            cut(end)

    def plug(self) -> None:
        with self._lock:
            self._is_plugged = True

    def close(self) -> None:
        self.pull()
        cut(self._door)

    def _accept(self) -> None:
        """Until the door is closed; what befalls one connection, as a pull in the middle of its making does, ends that one."""
        while True:
            try:
                near, _ = self._door.accept()
            except OSError:
                if self._door.fileno() == -1:
                    return
                time.sleep(0.05)  # no file handle was left, say
                continue
            try:
                self._join(near)
            except OSError:  # nobody is there just now, or the cable was pulled
                cut(near)

    def _join(self, near: socket.socket) -> None:
        with self._lock:
            if not self._is_plugged:
                cut(near)
                return
            source = (near.getpeername()[0], 0)  # the app sees the address of whoever came
            far = socket.create_connection(("127.0.0.1", self._target), CONNECT_SECONDS, source)
            far.settimeout(None)
            self._ends |= {near, far}
        try:
            for end in (near, far):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # what comes in goes out at once
        except OSError:
            cut(far)
            raise
        for one, other in ((near, far), (far, near)):
            threading.Thread(target=self._pass, args=(one, other), daemon=True).start()

    def _pass(self, one: socket.socket, other: socket.socket) -> None:
        with contextlib.suppress(OSError):  # one end is gone
            while data := one.recv(65536):
                other.sendall(data)
        cut(one)
        cut(other)


def cut(end: socket.socket) -> None:
    """Both directions, at once."""
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()
