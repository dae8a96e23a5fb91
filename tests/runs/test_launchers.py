"""Launchers: shards as processes here, by a script for Slurm, by a manifest for Kubernetes. What is killed in the middle goes
on, every result is there once, and no reply is paid twice."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

import cli
from core.ids import find_shard
from tests.openai_server import Running, running

ROOT = Path(__file__).parents[2]
ITEMS, SHARDS = 12, 2
VICTIM = sorted(f"q{n}" for n in range(ITEMS) if find_shard(f"q{n}", SHARDS) == 1)
"""Items of the shard that is killed."""
ASKED = 2
"""Answers of that shard before it is killed: its next question hangs once."""
STUCK = ITEMS - len(VICTIM) + ASKED + 1
"""Requests when everything else is answered."""
RUN = ("--system", "closed_book", "--agent", "openai:m", "--metrics", "token_f1", "--set", "agent.concurrency=1")
SLURM = os.environ.get("BENCHWRIGHT_TEST_SLURM")


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An exported release of twelve items."""
    folder = tmp_path_factory.mktemp("launch")
    context = {"title": "Houses", "text": "House 3 of Orvel was built in 1703.", "gold": True}
    lines = [
        {"id": f"q{n}", "question": f"When was house {n} of Orvel built?", "answer": str(1700 + n), "contexts": [context]}
        for n in range(ITEMS)
    ]
    (folder / "qa.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    workspace = ("--workspace", str(folder / "one.duckdb"))
    assert cli.main(["import", str(folder / "qa.jsonl"), "--format", "jsonl", *workspace]) == 0
    assert cli.main(["freeze", "v1", "--allow-unlicensed", "a test", *workspace]) == 0
    assert cli.main(["export", "v1", "--format", "jsonl", str(folder / "release"), *workspace]) == 0
    return folder / "release"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    hangs = f"house {VICTIM[ASKED].removeprefix('q')} of"
    with running([{"contains": hangs, "times": 1, "fault": "hang"}]) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        yield server


def wait_until(condition: Callable[[], Any], seconds: float = 240) -> Any:
    end = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.05)
    return value


def launch_words(out: Path, launcher: str, release: Path, *settings: str) -> list[str]:
    chosen = [word for setting in settings for word in ("--set", setting)]
    return ["launch", "--shards", str(SHARDS), "--out", str(out), *chosen, "--json", launcher, "run", str(release), *RUN]


def find_process(out: Path) -> int | None:
    """The process of a shard in that folder, if it runs."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:  # it has just ended
                continue
            if words[-2:-1] == [str(out).encode()] and words[1:2] == [str(ROOT / "cli.py").encode()]:
                return int(entry.name)
    return None


def gather(capsys: pytest.CaptureFixture[str], out: Path, release: Path, workspace: Path) -> Any:
    capsys.readouterr()
    shards = [str(folder) for folder in out.iterdir()]
    assert cli.main(["gather", *shards, "--release", str(release), "--workspace", str(workspace), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def check_whole(gathered: Any, server: Running) -> None:
    """Every result is there once, and no reply was paid twice, by the server's count."""
    assert (gathered["asked"], gathered["missing"], gathered["stopped"], gathered["unfinished"]) == (ITEMS, 0, [], [])
    assert gathered["rows"]["trace"] == {"taken": ITEMS, "already": 0}
    count = server.count()
    assert (count["keys"], count["asked_again"]) == (ITEMS, 0)


def test_a_killed_process_is_started_once_more_and_no_reply_is_paid_twice(
    release: Path, server: Running, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "shards"
    command = [sys.executable, str(ROOT / "cli.py"), *launch_words(out, "local", release, "at_once=2")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as launched:
        wait_until(lambda: server.count()["keys"] == STUCK)
        os.kill(wait_until(lambda: find_process(out / "1")), signal.SIGKILL)
        said, told = launched.communicate(timeout=240)
    assert launched.returncode == 0 and json.loads(said)["failed"] == {}, told
    assert "Shard 1/2 was killed: it is started once more." in told
    check_whole(gather(capsys, out, release, tmp_path / "all.duckdb"), server)
    capsys.readouterr()
    assert cli.main(launch_words(out, "local", release)) == 0
    assert json.loads(capsys.readouterr().out)["started"] == [], "complete shards are not started again"


def test_a_shard_that_fails_is_named_with_its_sentence(
    release: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [
        "launch",
        "--shards",
        "1",
        "--out",
        str(tmp_path / "s"),
        "--json",
        "local",
        "run",
        str(tmp_path),
        "--system",
        "echo",
    ]
    assert cli.main(words) == 1
    assert "is not an exported release" in json.loads(capsys.readouterr().out)["failed"]["0"]
    for words, why in (
        (["slurm", "report", "x"], "comes a command without --shard"),
        (["slurm"], "comes a command without --shard"),
        (["slurm", "run", str(release), "--system", "echo", "--shard", "0/1"], "comes a command without --shard"),
        (["nomad", "run", str(release), "--system", "echo"], "No launcher named 'nomad'"),
        (["kubernetes", "run", str(release), "--system", "echo"], "needs an image"),
    ):
        assert cli.main(["launch", "--shards", "2", "--out", str(tmp_path / "t"), *words]) == 1
        assert why in capsys.readouterr().err
    assert cli.main(["launch", "--shards", "2", "--out", "s", "--set", "nodes=4", "slurm", "run", "r", "--system", "echo"]) == 1
    assert "nodes" in capsys.readouterr().err


def test_a_folder_has_the_shards_of_one_command(release: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "s")
    echo = ["run", str(release), "--system", "echo", "--metrics", "token_f1"]
    assert cli.main(["launch", "--shards", "1", "--out", out, "local", *echo]) == 0
    for shards, words, why in (
        ("1", ["local", *echo[:-1], "exact_match"], "has the shards of another command"),
        ("2", ["slurm", *echo], "is one of 1 shards, not of 2"),
        ("1", ["local", *echo, "--batch", "b"], "launch the command without --batch"),
    ):
        capsys.readouterr()
        assert cli.main(["launch", "--shards", shards, "--out", out, *words]) == 1
        assert why in capsys.readouterr().err
    assert cli.main(["launch", "--shards", "1", "--out", out, "slurm", *echo]) == 0
    assert "All 1 shards" in capsys.readouterr().out and not Path(out, "slurm.sh").exists()
    assert cli.main([*echo[:2], *echo[2:], "--shard", "0/1", "--out", str(tmp_path / "b"), "--batch", "b"]) == 1
    assert "--batch and --shard cannot be combined" in capsys.readouterr().err


def test_a_slurm_script_starts_the_shards_that_are_not_complete(
    release: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "my shards"
    echo = ["--system", "echo", "--metrics", "token_f1"]
    shard = ["run", str(release), *echo, "--shard", "2/5", "--out", str(out / "2")]
    assert cli.main(shard) == 0
    words = ["launch", "--shards", "5", "--out", str(out), "--set", "at_once=3", "--set", "gres=gpu:1", "--json"]
    capsys.readouterr()
    assert cli.main([*words, "slurm", "run", str(release), *echo]) == 0
    launched = json.loads(capsys.readouterr().out)
    script = Path(launched["written"]).read_text(encoding="utf-8")
    assert (
        launched["started"] == [0, 1, 3, 4] and "#SBATCH --array=0-1,3-4%3\n" in script and "#SBATCH --gres=gpu:1\n" in script
    )
    stand_in = tmp_path / "srun"
    stand_in.write_text('#!/bin/sh\nshift 2\nexec "$@"\n', encoding="utf-8")
    stand_in.chmod(0o755)
    env = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}", "SLURM_ARRAY_TASK_ID": "3"}
    done = subprocess.run(["bash", launched["written"]], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and (out / "3" / "manifest.json").exists(), done.stderr


@pytest.mark.skipif(SLURM is None, reason="BENCHWRIGHT_TEST_SLURM=1 says that sbatch, squeue and scancel reach a Slurm")
def test_a_shard_that_slurm_cancels_goes_on_when_it_is_submitted_again(
    release: Path, server: Running, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "shards"

    def submit(expected: list[int]) -> str:
        capsys.readouterr()
        assert cli.main(launch_words(out, "slurm", release)) == 0
        launched = json.loads(capsys.readouterr().out)
        assert launched["started"] == expected
        return subprocess.run(["sbatch", "--parsable", launched["written"]], capture_output=True, text=True, check=True).stdout

    def is_over(job: str) -> bool:
        return not subprocess.run(["squeue", "-h", "-j", job], capture_output=True, text=True, check=False).stdout.strip()

    job = submit([0, 1]).strip()
    wait_until(lambda: server.count()["keys"] == STUCK)
    subprocess.run(["scancel", f"{job}_1"], check=True)
    wait_until(lambda: is_over(job))
    again = submit([1]).strip()
    wait_until(lambda: is_over(again))
    check_whole(gather(capsys, out, release, tmp_path / "all.duckdb"), server)


def test_a_manifest_for_kubernetes_is_valid_and_starts_the_shard_of_its_index(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "job.yaml"
    settings = ["image=registry.example/benchwright:1", "claim=files", "secret=keys", "gpus=1", "program=echo", "at_once=4"]
    chosen = [word for setting in (*settings, f"file={file}") for word in ("--set", setting)]
    words = ["run", "/data/my release", "--system", "vanilla", "--agent", "openai:m", "--set", 'query={"a": "$HOME"}']
    launch = ["launch", "--shards", "16", "--out", "/data/shards", *chosen, "--json", "kubernetes", *words]
    assert cli.main(launch) == 0
    assert json.loads(capsys.readouterr().out)["submit"] == f"kubectl apply -f {file}"
    job = yaml.safe_load(file.read_text(encoding="utf-8"))
    kubernetes_validate.validate(job, kubernetes_validate.latest_version(), strict=True)
    spec = job["spec"]
    assert (spec["completionMode"], spec["completions"], spec["parallelism"]) == ("Indexed", 16, 4)
    [container] = spec["template"]["spec"]["containers"]
    env = os.environ | {"JOB_COMPLETION_INDEX": "11"}
    command = [word.replace("exec echo", "exec printf '%s\\n'") for word in container["command"]]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [*words, "--shard", "11/16", "--out", "/data/shards/11"]


def test_ray_goes_on_after_a_killed_worker_and_a_killed_driver_and_pays_no_reply_twice(
    release: Path, server: Running, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both shards hang once, in the middle. Shard 1 loses its worker, goes on and ends; then shard 0 loses the driver."""
    pytest.importorskip("ray", reason="the package ray, of the extra of this name, is not installed")
    from ray.cluster_utils import Cluster

    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    others = sorted({f"q{n}" for n in range(ITEMS)} - set(VICTIM))
    hang = [
        {"contains": f"house {names[ASKED].removeprefix('q')} of", "times": 1, "fault": "hang"} for names in (others, VICTIM)
    ]
    server.script(hang)
    out = tmp_path / "shards"
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 2, "include_dashboard": False})
    try:
        words = launch_words(out, "ray", release, f"address={cluster.address}")
        with subprocess.Popen([sys.executable, str(ROOT / "cli.py"), *words], stderr=subprocess.PIPE) as driver:
            wait_until(lambda: server.count()["keys"] == SHARDS * (ASKED + 1))
            shard = wait_until(lambda: find_process(out / "1"))
            os.kill(find_parent(find_parent(shard)), signal.SIGKILL)
            wait_until((out / "1" / "manifest.json").exists)
            driver.kill()
        wait_until(lambda: find_process(out / "0") is None)
        assert not (out / "0" / "manifest.json").exists()
        capsys.readouterr()
        assert cli.main(words) == 0
        launched = json.loads(capsys.readouterr().out)
        assert (launched["started"], launched["failed"]) == ([0], {})
    finally:
        cluster.shutdown()
    check_whole(gather(capsys, out, release, tmp_path / "all.duckdb"), server)


def find_parent(process: int) -> int:
    status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    return int(next(line for line in status.splitlines() if line.startswith("PPid:")).split()[1])
