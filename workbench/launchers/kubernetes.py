"""Write the manifest of an Indexed Job for Kubernetes, which starts all shards as pods. The image contains this program. A
volume claim contains the exported release and the folders of the shards; every path in the command is a path in the container.
API keys come from a Kubernetes secret."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from core.errors import BenchError
from eval.settings import Setting, read_settings
from workbench.launcher import LaunchedShards, Launcher, LaunchPlan, write_script

INDEX = "JOB_COMPLETION_INDEX"
"""Name of the environment variable in which Kubernetes gives a pod its number."""
MAX_RETRIES = 2
"""Maximum number of times that a shard is started again after its pod has failed."""


def launch(plan: LaunchPlan, settings: Mapping[str, Any], say: Callable[[str], None]) -> LaunchedShards:
    import yaml

    chosen = read_settings(SETTINGS, settings)
    if not chosen["image"] or not chosen["claim"]:
        raise BenchError(
            "Kubernetes needs an image with this program and a volume claim for the files: give --set image= and --set claim=."
        )
    path = write_script(Path(chosen["file"]), yaml.safe_dump(_build_job(plan, chosen), sort_keys=False, allow_unicode=True))
    return LaunchedShards(plan.of, [*range(plan.of)], str(path), f"kubectl apply -f {path}")


def _build_job(plan: LaunchPlan, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the manifest of the job. The job starts all shards, because this machine may not see the files of the pods. A
    shard that is already complete ends at once."""
    resources = {"cpu": settings["cpus"], "memory": settings["memory"]}
    if settings["gpus"]:
        resources["nvidia.com/gpu"] = settings["gpus"]
    container = {
        "name": "shard",
        "image": settings["image"],
        "command": ["/bin/sh", "-c", f"exec {plan.shell_line(INDEX, settings['program'].split())}"],
        "workingDir": settings["mount"],
        "resources": {"requests": resources, "limits": {k: v for k, v in resources.items() if k != "cpu"}},
        "volumeMounts": [{"name": "files", "mountPath": settings["mount"]}],
    }
    if settings["secret"]:
        container["envFrom"] = [{"secretRef": {"name": settings["secret"]}}]
    pod = {
        "restartPolicy": "Never",
        "containers": [container],
        "volumes": [{"name": "files", "persistentVolumeClaim": {"claimName": settings["claim"]}}],
    }
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": settings["name"], "labels": {"app.kubernetes.io/name": "benchwright"}},
        "spec": {
            "completions": plan.of,
            "parallelism": min(settings["at_once"] or plan.of, plan.of),
            "completionMode": "Indexed",
            "backoffLimitPerIndex": MAX_RETRIES,
            "template": {"metadata": {"labels": {"app.kubernetes.io/name": "benchwright"}}, "spec": pod},
        },
    }


SETTINGS = {
    "image": Setting("", "Container image with this program; see deploy/Dockerfile."),
    "claim": Setting("", "Name of the volume claim for the files, which all pods must be able to write."),
    "mount": Setting("/data", "Path in the container at which the volume is mounted."),
    "program": Setting(
        "/opt/benchwright/.venv/bin/python /opt/benchwright/cli.py",
        "Command with which the image starts this program's command line.",
    ),
    "secret": Setting("", "Secret with entries that become environment variables, such as OPENAI_API_KEY."),
    "name": Setting("benchwright", "Name of the job."),
    "file": Setting("kubernetes.yaml", "File to write."),
    "at_once": Setting(0, "Number of pods that run at the same time; 0 = all."),
    "cpus": Setting("1", "Number of cores for each pod."),
    "memory": Setting("4Gi", "Memory for each pod."),
    "gpus": Setting(0, "Number of GPUs for each pod."),
}
LAUNCHER = Launcher(label="Kubernetes", launch=launch, settings=SETTINGS)
