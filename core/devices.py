"""Device and number format of local models: the settings `device` and `dtype`, checked against the devices that torch finds."""

import re
from typing import NamedTuple

from core.errors import BenchError

AUTO = "auto"
DTYPES = (AUTO, "float32", "bfloat16", "float16")
DEVICE_HELP = "Where local models compute: auto (the accelerator that torch sees, else cpu), cpu, cuda, cuda:N or mps."
DTYPE_HELP = "Number format of local models: auto is float32, so that scores are the same on every machine."
_DEVICE = re.compile(r"auto|cpu|mps|cuda(:\d{1,4})?")


class Placement(NamedTuple):
    """Device and number format with which a model is loaded, in the names that torch uses."""

    device: str
    """Name of the device: cpu, mps, cuda:0 ..."""
    dtype: str
    """Number format of the model's weights: float32, bfloat16 or float16."""


def check_placement(device: str, dtype: str) -> None:
    """Check the values of the settings `device` and `dtype` without loading torch. Raises BenchError if `device` or `dtype` is
    not valid."""
    if not isinstance(device, str) or not _DEVICE.fullmatch(device):
        raise BenchError(f"The setting device is {device!r}: set it to auto, cpu, cuda, cuda:N or mps.")
    if dtype not in DTYPES:
        raise BenchError(f"The setting dtype is {dtype!r}: set it to {', '.join(DTYPES[:-1])} or {DTYPES[-1]}.")


def place_model(device: str = AUTO, dtype: str = AUTO) -> Placement:
    """Return the device and number format that the settings select on this machine; auto selects the accelerator that torch
    finds, or else the CPU, and float32.

    Raises BenchError if a value is invalid, if the accelerator is missing, or for bfloat16 on a processor that does not support
    it, where bfloat16 is slower than float32."""
    check_placement(device, dtype)
    import torch

    chosen, number_format = _choose_device(device), "float32" if dtype == AUTO else dtype
    if number_format == "bfloat16" and chosen == "cpu" and not torch.ops.mkldnn._is_mkldnn_bf16_supported():
        raise BenchError("The setting dtype is bfloat16, but this processor does not support bfloat16: set dtype=float32.")
    return Placement(chosen, number_format)


def _choose_device(device: str) -> str:
    import torch

    if device == "cpu":
        return device
    if device == AUTO:
        accelerator = torch.accelerator.current_accelerator(check_available=True)
        if accelerator is None:
            return "cpu"
        has_numbers = accelerator.type != "mps"
        return f"{accelerator.type}:{torch.accelerator.current_device_index()}" if has_numbers else "mps"
    if device == "mps":
        if not torch.backends.mps.is_available():
            raise BenchError("The setting device is mps, and torch finds no such accelerator here: set device=auto or cpu.")
        return device
    count = torch.cuda.device_count() if torch.cuda.is_available() else 0
    number = int(device.partition(":")[2] or 0)
    if number >= count:
        there = f"only {', '.join(f'cuda:{n}' for n in range(count))}" if count else "no CUDA accelerator"
        raise BenchError(f"The setting device is {device}, and torch finds {there} here: set device=auto or cpu.")
    return f"cuda:{number}"
