"""Dockerfile, compose files and the examples of settings in deploy/ agree with each other and with this checkout."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from streamlit import config

from tests.app_server import ROOT, Served, started
from tests.house.test_floors import FLOORS

DEPLOY = ROOT / "deploy"
DOCKERFILE = re.sub(r" \\\n\s*", " ", (DEPLOY / "Dockerfile").read_text())


def list_instructions(word: str) -> list[str]:
    """What follows that word at the beginning of a line, from first to last."""
    return re.findall(rf"^{word} (.+)$", DOCKERFILE, flags=re.MULTILINE)


def list_sent() -> list[str]:
    """The paths that the build gets."""
    return re.findall(r"^!(.+)$", (DEPLOY / "Dockerfile.dockerignore").read_text(), flags=re.MULTILINE)


def read_compose(name: str) -> Any:
    return yaml.safe_load((DEPLOY / name).read_text())


def test_both_stages_have_one_slim_python_that_the_tests_run_on() -> None:
    bases = [line.removesuffix(" AS packages") for line in list_instructions("FROM")]
    assert len(bases) == 2 and bases[0] == bases[1], "the environment of one Python does not run with another"
    version = re.fullmatch(r"python:(3\.\d+)-slim-\w+", bases[0])
    assert version and f"the whole test suite is run on {version[1]} only" in (ROOT / "README.md").read_text()


def test_packages_are_installed_as_make_installs_them() -> None:
    makefile = (ROOT / "Makefile").read_text()
    command = re.search(r"PYTHON=\$\(PYTHON\) (\./install\.sh) \$\(VENV\) (requirements\.txt)\n", makefile)
    venv = re.search(r"^VENV := (.+)$", makefile, flags=re.MULTILINE)
    assert command and venv
    assert f"{command[1]} {venv[1]} {command[2]}" in list_instructions("RUN")
    assert list_instructions("COPY")[:2] == ["install.sh requirements.txt ./", "--from=packages /opt/benchwright/.venv .venv"]
    assert set(list_instructions("WORKDIR")) == {"/opt/benchwright"}, "an environment cannot be moved"
    assert list_instructions("CMD")[-1] == '[".venv/bin/streamlit", "run", "app.py"]'
    assert list_instructions("USER") == ["benchwright"] and DOCKERFILE.index("USER ") > DOCKERFILE.index("COPY . .")


def test_compiling_leaves_out_the_packages_of_which_some_are_for_a_newer_python(tmp_path: Path) -> None:
    [command] = [line for line in list_instructions("RUN") if "compileall" in line]
    assert command in (DEPLOY.parent / "docs" / "how-to" / "deploy.md").read_text()
    package = tmp_path / ".venv" / "newer.py"
    package.parent.mkdir()
    package.write_text("a file that this Python does not read")
    (tmp_path / "ours.py").write_text("")
    here = command.replace(".venv/bin/python", shlex.quote(sys.executable))
    done = subprocess.run(["/bin/sh", "-c", here], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert (tmp_path / "__pycache__").is_dir() and not (package.parent / "__pycache__").exists()


def test_the_build_gets_every_floor_and_the_app_runs_on_what_it_gets(tmp_path: Path) -> None:
    sent = list_sent()
    floors = {name if (ROOT / name).is_dir() else f"{name}.py" for name in FLOORS}
    assert floors | {".streamlit/config.toml", "samples", "requirements.txt", "install.sh", "LICENSE"} <= set(sent)
    ignored = shutil.ignore_patterns("__pycache__")
    for path in sent:
        source, target = ROOT / path, tmp_path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(source, target, ignore=ignored) if source.is_dir() else shutil.copy(source, target)
    script = (
        "import app, workbench; bench = workbench.open_workbench(); bench.corpus.load_samples(); print(app.__file__); "
        "print(len(bench.reviews.items()))"
    )
    environment = {**os.environ, "BENCHWRIGHT_WORKSPACE": ":memory:", "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    file, count = done.stdout.split()[-2:]
    assert file == str(tmp_path / "app.py") and int(count) > 0


@pytest.mark.parametrize("base", ["", "benchwright"])
def test_the_health_check_asks_the_app_below_its_base_path(workspace: Path, tmp_path: Path, base: str) -> None:
    [check] = re.findall(r"^HEALTHCHECK .* CMD (.+)$", DOCKERFILE, flags=re.MULTILINE)
    check = check.replace(".venv/bin/python", shlex.quote(sys.executable))
    app: Served = started(workspace, tmp_path / "app.log", is_forked=True, base=f"/{base}" if base else "")
    port = app.url.rpartition(":")[2]
    settings = {**os.environ, "STREAMLIT_SERVER_PORT": port, "STREAMLIT_SERVER_BASE_URL_PATH": base}
    assert subprocess.run(["/bin/sh", "-c", check], env=settings, check=False).returncode == 0
    app.stop()
    assert subprocess.run(["/bin/sh", "-c", check], env=settings, stderr=subprocess.DEVNULL, check=False).returncode == 1


def test_compose_has_the_app_behind_nginx() -> None:
    compose = read_compose("compose.yaml")
    app, nginx = compose["services"]["app"], compose["services"]["nginx"]
    assert set(compose["services"]) == {"app", "nginx"}
    assert (DEPLOY / app["build"]["context"]).resolve() == ROOT and (ROOT / app["build"]["dockerfile"]).is_file()
    assert "ports" not in app and nginx["ports"] == ["80:80", "443:443"], "browsers reach only nginx"
    assert app["environment"]["BENCHWRIGHT_TRUSTED_PROXIES"] == nginx["networks"]["inside"]["ipv4_address"]
    assert app["environment"]["STREAMLIT_SERVER_ADDRESS"] == "0.0.0.0"
    assert nginx["depends_on"] == {"app": {"condition": "service_healthy"}}
    assert app["read_only"] and nginx["read_only"] and app["cap_drop"] == ["ALL"]
    targets = [volume.split(":")[1] for volume in app["volumes"]]
    assert targets == re.findall(r'"([^"]+)"', list_instructions("VOLUME")[0]) == ["/data", "/backups"]
    assert Path(app["environment"]["BENCHWRIGHT_WORKSPACE"]).parent == Path("/data")
    assert {volume.split(":")[0] for volume in app["volumes"]} == set(compose["volumes"])
    port = app["environment"]["STREAMLIT_SERVER_PORT"]
    assert f"server app:{port};" in (DEPLOY / "nginx" / "upstream-compose.conf").read_text()
    files = [volume.split(":")[0] for volume in nginx["volumes"] if ".conf" in volume]
    assert files == ["./site.conf", "./upstream.conf"]
    guide = (ROOT / "docs" / "how-to" / "deploy.md").read_text()
    for made in (
        "deploy/nginx/benchwright.conf > deploy/site.conf\n",
        "cp deploy/nginx/upstream-compose.conf deploy/upstream.conf\n",
    ):
        assert made in guide, "a file that the administrator makes"


def check_compose(*files: Path) -> "subprocess.CompletedProcess[str]":
    """What the schema of the Compose specification says of the files."""
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", *map(str, files)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_compose_files_follow_the_specification(tmp_path: Path) -> None:
    files = sorted(DEPLOY.glob("compose*.yaml"))
    done = check_compose(*files)
    assert len(files) == 3 and done.returncode == 0, done.stdout
    misspelt = tmp_path / "compose.yaml"
    misspelt.write_text((DEPLOY / "compose.yaml").read_text().replace("read_only:", "readonly:"))
    assert check_compose(misspelt).returncode == 1


def find_compose() -> list[str]:
    """The command of Docker Compose on this machine, 2 or newer; it needs no engine to read files."""
    for command in (["docker", "compose"], ["docker-compose"]):
        if shutil.which(command[0]):
            done = subprocess.run([*command, "version", "--short"], capture_output=True, text=True, check=False)
            if done.returncode == 0 and int(done.stdout.lstrip("v").partition(".")[0]) >= 2:
                return command
    pytest.skip("neither `docker compose` nor docker-compose 2 is on PATH: they read the files of deploy together")


@pytest.mark.parametrize("overlays", [(), ("oidc",), ("second",), ("oidc", "second"), ("second", "oidc")])
def test_compose_takes_the_files_together_and_says_nothing(tmp_path: Path, overlays: tuple[str, ...]) -> None:
    files = ["compose.yaml", *(f"compose.{name}.yaml" for name in overlays)]
    for name in files:
        shutil.copy(DEPLOY / name, tmp_path)
    shutil.copy(DEPLOY / "benchwright.env.example", tmp_path / "benchwright.env")
    command = [*find_compose(), *(word for name in files for word in ("--file", name)), "config", "--format", "json"]
    settings = {name: value for name, value in os.environ.items() if name != "BENCHWRIGHT_SIGN_IN"}
    done = subprocess.run(command, cwd=tmp_path, env=settings, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    services = json.loads(done.stdout)["services"]
    assert set(services) == {"app", "nginx"} | ({"law"} if "second" in overlays else set())
    mounts = {name: {mount["target"] for mount in service["volumes"]} for name, service in services.items()}
    secrets = {"/etc/benchwright/secrets.toml"} if "oidc" in overlays else set()
    assert mounts["app"] == {"/data", "/backups"} | secrets
    given = services["app"]["environment"]
    assert given["BENCHWRIGHT_SIGN_IN"] == ("oidc" if "oidc" in overlays else "local")
    assert ("BENCHWRIGHT_WORKSPACES" in given) == ("second" in overlays)
    if "second" in overlays:
        law = services["law"]
        assert mounts["law"] == {"/data", "/backups"} and law["read_only"] and law["cap_drop"] == ["ALL"]
        assert law["environment"].items() >= read_compose("compose.second.yaml")["services"]["law"]["environment"].items()
        assert "BENCHWRIGHT_WORKSPACES" not in law["environment"], "only at the workspace at which people sign in"
        assert set(services["nginx"]["depends_on"]) == {"app", "law"}


def test_the_second_workspace_differs_from_the_first_in_its_place(tmp_path: Path) -> None:
    compose, second = read_compose("compose.yaml"), read_compose("compose.second.yaml")
    app, law = compose["services"]["app"], second["services"]["law"]
    assert law["extends"] == {"file": "compose.yaml", "service": "app"}
    assert law["volumes"] == ["law:/data"] and set(second["volumes"]) == {"law"}
    addresses = {service["networks"]["inside"]["ipv4_address"] for service in (*compose["services"].values(), law)}
    assert len(addresses) == 3
    settings = law["environment"]
    base = re.search("^STREAMLIT_SERVER_BASE_URL_PATH=(.+)$", (DEPLOY / "benchwright.env.example").read_text(), re.MULTILINE)
    assert base and settings["BENCHWRIGHT_SIGN_IN_AT"] == f"http://app:{app['environment']['STREAMLIT_SERVER_PORT']}/{base[1]}"
    assert (
        second["services"]["app"]["environment"]["BENCHWRIGHT_WORKSPACES"]
        == f"/{base[1]},/{settings['STREAMLIT_SERVER_BASE_URL_PATH']}"
    )


def test_the_overlay_for_openid_connect_changes_the_app_alone() -> None:
    [(name, app)] = read_compose("compose.oidc.yaml")["services"].items()
    assert name == "app" and app["environment"]["BENCHWRIGHT_SIGN_IN"] == "${BENCHWRIGHT_SIGN_IN:-oidc}"
    [mounted] = app["volumes"]
    assert mounted == f"./secrets.toml:{app['environment']['STREAMLIT_SECRETS_FILES']}:ro"


def test_the_example_of_settings_names_settings_that_exist_and_no_secret() -> None:
    lines = (DEPLOY / "benchwright.env.example").read_text().splitlines()
    given = dict(line.lstrip("#").split("=", 1) for line in lines if re.match(r"#?[A-Z][A-Z_]+=", line))
    code = "".join(path.read_text() for folder in ("serving", "workbench", "agents") for path in (ROOT / folder).rglob("*.py"))
    options = {f"STREAMLIT_{name.replace('.', '_')}".upper(): name for name in list_options()}
    for name in given:
        assert name in options if name.startswith("STREAMLIT_") else name in code, name
    assert [value for name, value in given.items() if re.search("KEY|SECRET|PASSWORD|TOKEN", name)] == [""]
    secrets = tomllib.loads((DEPLOY / "secrets.toml.example").read_text())["auth"]
    assert secrets["cookie_secret"] == secrets["keycloak"]["client_secret"] == ""
    base = given["STREAMLIT_SERVER_BASE_URL_PATH"]
    site = (DEPLOY / "nginx" / "benchwright.conf").read_text()
    assert f"~^/{base}/ " in site and secrets["redirect_uri"].endswith(f"/{base}/oauth2callback")
    assert given["STREAMLIT_BROWSER_SERVER_ADDRESS"] in site


def list_options() -> list[str]:
    """Streamlit's options, with an underscore before each capital."""
    return [re.sub(r"([a-z])([A-Z])", r"\1_\2", name) for name in config._config_options_template]


def test_what_holds_secrets_is_not_committed() -> None:
    ignored = (ROOT / ".gitignore").read_text().splitlines()
    assert {"deploy/benchwright.env", "deploy/secrets.toml", "deploy/tls/"} <= set(ignored)
