"""Run the programs of the system pal in a separate process, one after another. Converting a value from Monty's sandbox into a
Python object may never finish (a key that contains itself many times is hashed part by part); the parent process then kills
this process.

    in   {"code", "names", "limits", "seconds", "longest", "longest_arguments"} or {"value"} or {"error"}, the reply to a call
    out  {"ready": true}   {"call": name, "arguments": [args, kwargs]}   {"value", "printed", "trouble"}

Values, arguments and errors are pickled."""

import resource
import sys
import time
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, sys.argv[1])  # the folder that our modules are imported from

from core.functions.small_values import TooLarge, shrink_value
from eval.systems._program_child import Channel, end_with_parent, open_channel
from eval.workflows.pickled import pack_value, unpack_value

_FREE_BYTES = 1_500_000_000
"""Bytes of address space that the process may use in addition to the sandbox's memory limit."""


def main() -> None:
    from pydantic_monty import Monty

    end_with_parent()
    channel = open_channel()
    channel.send({"ready": True})
    order = channel.receive()
    while order is not None:
        memory = _FREE_BYTES + 8 * int(order["limits"]["max_memory"])  # the same for all programs of a run
        resource.setrlimit(resource.RLIMIT_AS, (memory, resource.getrlimit(resource.RLIMIT_AS)[1]))
        with Monty() as pool:
            trouble = ""
            while order is not None and not trouble:  # a worker in which an error occurred runs no other program
                result = run_program(order, channel, pool)
                trouble = result["trouble"]
                channel.send(result)
                order = channel.receive()


def run_program(order: dict[str, Any], channel: Channel, pool: Any) -> dict[str, Any]:
    """Run the program in the request `order`, and return its value, its printed output, and its error as a sentence ("" = no
    error)."""
    from pydantic_monty import CollectString, FunctionSnapshot, MontyComplete, MontyError

    printed, value, trouble = CollectString(), None, ""
    calls = _Calls(order, channel)
    try:
        with pool.checkout(limits=order["limits"], os_policy={"sleep": "call_host"}) as session:
            lookup = dict.fromkeys(order["names"], len)
            at = session.feed_start(order["code"], external_lookup=lookup, print_callback=printed)
            while not isinstance(at, MontyComplete):
                if isinstance(at, FunctionSnapshot) and (answer := calls.answer(at)) is not None:
                    at = at.resume(answer)
                else:
                    at = at.resume_auto()
            value = shrink_value(at.output, order["longest"])
    except MontyError as error:
        trouble = str(error)[:2000]
    except TooLarge as error:
        trouble = f"its value is too large ({error})"
    except MemoryError:
        trouble = "memory limit: its value is too large"
    return {"value": pack_value(value), "printed": printed.output[: order["longest"]], "trouble": trouble}


class _Calls:
    """Handles the calls by which a program leaves its sandbox: calls of functions and of sleep."""

    def __init__(self, order: dict[str, Any], channel: Channel) -> None:
        self._order, self._channel = order, channel
        self._began = time.monotonic()
        self._away = 0.0
        """Seconds that the called functions took, which do not count as the program's time."""
        self._slept = 0.0
        """Seconds of sleep that the program asked for; these seconds count as the program's time, but no process waits for
        them."""

    def answer(self, call: Any) -> Any:
        """Return the reply to the program's call, or None if the sandbox handles the call itself."""
        if call.is_os_function and call.function_name == "time.sleep":
            return self._sleep(float(call.args[0]))
        if call.is_os_function or call.function_name not in self._order["names"]:
            return None
        try:
            arguments = shrink_value([list(call.args), dict(call.kwargs)], self._order["longest_arguments"])
        except TooLarge as error:
            return {"exception": ValueError(f"The arguments of {call.function_name} are too large: {error}")}
        began = time.monotonic()
        self._channel.send({"call": call.function_name, "arguments": pack_value(arguments)})
        reply = self._channel.receive()
        self._away += time.monotonic() - began
        if reply is None:
            raise SystemExit(0)
        key = "error" if "error" in reply else "value"
        return {"exception" if key == "error" else "return_value": unpack_value(reply[key])}

    def _sleep(self, seconds: float) -> dict[str, Any]:
        self._slept += seconds
        limit = self._order["seconds"]
        if time.monotonic() - self._began - self._away + self._slept <= limit:
            return {"return_value": None}
        return {"exception": TimeoutError(f"time limit: a program may run {limit:g} s, including time.sleep")}


if __name__ == "__main__":
    main()
