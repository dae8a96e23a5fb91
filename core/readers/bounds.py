"""Limits that a process for untrusted files sets on itself: memory, CPU time, no network. The process reads requests as JSON
from standard input and writes answers as JSON (or in another encoding) to standard output; each request and each answer is
preceded by its length."""

import json
import os
import struct
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

OUT_OF_MEMORY_STATUS = 3
"""Exit status of a process that ended because it ran out of memory."""
LENGTH_PREFIX = struct.Struct(">I")
"""Binary format of the length that precedes each request or answer. A length of 0 ends the answers to a
request."""
_FLUSH_SECONDS = 0.2
_DENIED_SYSTEM_CALLS = {"x86_64": (0xC000003E, (41, 425)), "aarch64": (0xC00000B7, (198, 425))}
"""Dict from machine type to (number of its architecture in the kernel's audit, numbers of the system calls socket and
io_uring_setup)."""


def bound_memory(most: int | None) -> None:
    """Limit the address space of this process to `most` bytes (None = each request sets the limit), lower the process's
    priority and disable core dumps."""
    import resource

    os.nice(5)
    if most is not None:
        bound_address_space(most)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def bound_address_space(most: int, *, may_be_raised: bool = False) -> None:
    """Limit the address space of this process to `most` bytes, or to its present hard limit if that is lower. With
    `may_be_raised`, the hard limit is not changed, so that a later call can set a higher limit."""
    import resource

    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard if may_be_raised else most))


def bound_seconds(seconds: float) -> None:
    """Limit the remaining CPU time of this process to `seconds`; the operating system then ends the process."""
    import resource

    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    resource.setrlimit(resource.RLIMIT_CPU, (int(used + seconds) + 1, hard))


def forbid_network() -> None:
    """Make this process unable to open sockets: in Python on every system, and on Linux also in the kernel, which covers C
    libraries."""
    sys.addaudithook(_refuse_sockets)
    if sys.platform == "linux" and os.uname().machine in _DENIED_SYSTEM_CALLS:
        import ctypes

        architecture, denied = _DENIED_SYSTEM_CALLS[os.uname().machine]
        load, equal, at_least, give = 0x20, 0x15, 0x35, 0x06  # BPF: load a word, jump if equal, jump if not below, return
        refused, allowed = 0x00050001, 0x7FFF0000  # refuse with EPERM; allow
        rules = [(load, 0, 0, 4), (equal, 1, 0, architecture), (give, 0, 0, refused), (load, 0, 0, 0)]
        rules += [(at_least, 0, 1, 0x40000000), (give, 0, 0, refused)]  # x32 system calls have other numbers
        for number in denied:
            rules += [(equal, 0, 1, number), (give, 0, 0, refused)]
        rules.append((give, 0, 0, allowed))
        code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *rule) for rule in rules))
        program = ctypes.create_string_buffer(struct.pack("HP", len(rules), ctypes.addressof(code)))
        control = ctypes.CDLL(None).prctl
        control.argtypes = [ctypes.c_int, *[ctypes.c_ulong] * 4]
        control(38, 1, 0, 0, 0)  # PR_SET_NO_NEW_PRIVS: without this call, the next one requires privileges
        control(
            22, 2, ctypes.addressof(program), 0, 0
        )  # PR_SET_SECCOMP; on a kernel without seccomp, Python's hook still applies


def _refuse_sockets(event: str, _arguments: tuple[Any, ...]) -> None:
    if event.startswith("socket."):
        raise PermissionError("this process must not use the network")


def encode_json(answer: Any) -> bytes:
    """Encode an answer as JSON, including text with lone surrogates."""
    return json.dumps(answer, ensure_ascii=False).encode("utf-8", "surrogatepass")


def serve(
    answers_to: Callable[[dict[str, Any]], Iterator[Any]], memory: int | None, encode: Callable[[Any], bytes] = encode_json
) -> None:
    """Read requests from standard input until it ends, and write the answers to each request. In a request, `seconds` is the
    CPU time in seconds that each answer may take. The argument `memory` is the maximum address space in bytes; None = each
    request sets the limit."""
    orders, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", buffering=2**18)
    with open(os.devnull, "r+b") as nothing:
        os.dup2(nothing.fileno(), 0)
        os.dup2(nothing.fileno(), 1)  # text that a library prints must not mix with the answers
    bound_memory(memory)
    forbid_network()
    try:
        while head := orders.read(LENGTH_PREFIX.size):
            order = json.loads(orders.read(*LENGTH_PREFIX.unpack(head)))
            _answer(answers, map(encode, answers_to(order)), order["seconds"])
    except MemoryError:
        os._exit(OUT_OF_MEMORY_STATUS)
    os._exit(0)  # a normal exit may hang on a damaged file


def _answer(out: BinaryIO, answers: Iterator[bytes], seconds: float) -> None:
    bound_seconds(seconds)
    flushed = time.monotonic()
    for answer in answers:
        out.write(LENGTH_PREFIX.pack(len(answer)))
        out.write(answer)
        if time.monotonic() - flushed > _FLUSH_SECONDS:
            out.flush()
            flushed = time.monotonic()
        bound_seconds(seconds)
    out.write(LENGTH_PREFIX.pack(0))
    out.flush()
