"""A model computes where the settings say; an accelerator that is named and absent is one clear sentence."""

import subprocess
import sys

import pytest
import torch

from core.devices import Placement, check_placement, place_model
from core.errors import BenchError


def test_auto_takes_the_accelerator_that_torch_sees_and_float32() -> None:
    seen = torch.accelerator.current_accelerator(check_available=True)
    chosen = place_model()
    assert chosen.dtype == "float32"
    assert torch.device(chosen.device).type == (seen.type if seen else "cpu")


def test_what_is_named_is_taken() -> None:
    assert place_model("cpu", "float16") == Placement("cpu", "float16")
    assert place_model("cpu", "float32") == Placement("cpu", "float32")


@pytest.mark.parametrize("device", ["cuda:97", "cuda:9999"])
def test_an_accelerator_that_is_absent_is_named_in_one_sentence(device: str) -> None:
    with pytest.raises(BenchError, match=f"device is {device}, and torch finds .* here: set device=auto or cpu") as error:
        place_model(device)
    assert "\n" not in str(error.value)


@pytest.mark.skipif(torch.cuda.is_available() or torch.backends.mps.is_available(), reason="this machine has an accelerator")
@pytest.mark.parametrize(("device", "words"), [("cuda", "no CUDA accelerator"), ("mps", "no such accelerator")])
def test_a_kind_of_accelerator_that_is_absent_is_named(device: str, words: str) -> None:
    with pytest.raises(BenchError, match=f"device is {device}, and torch finds {words} here"):
        place_model(device)


@pytest.mark.parametrize("device", ["gpu", "cuda:x", "cuda:-1", "", "CPU", None])
def test_a_device_of_another_name_is_refused(device: str) -> None:
    with pytest.raises(BenchError, match="set it to auto, cpu, cuda, cuda:N or mps"):
        check_placement(device, "auto")


def test_a_number_format_of_another_name_is_refused() -> None:
    with pytest.raises(BenchError, match="dtype is 'int8': set it to auto, float32, bfloat16 or float16"):
        check_placement("auto", "int8")


def test_checking_the_settings_does_not_load_torch() -> None:
    code = "import sys, core.devices as d; d.check_placement('cuda:3', 'float16'); print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
