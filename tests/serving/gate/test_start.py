"""What the app checks before it answers anybody."""

import os
from pathlib import Path

import pytest
from streamlit import config
from streamlit.runtime.secrets import secrets_singleton

from core.errors import BenchError
from serving import base_path
from serving.gate import streamlit_login
from serving.gate.addresses import find_client, is_from_this_machine
from serving.gate.session_cookie import check_secret
from serving.gate.settings import load_sign_in_settings
from serving.gate.start import check_secrets_files, check_start
from tests.app_server import free_port
from tests.forked_app import ForkedApp
from workbench.setup import sign_in_settings
from workbench.setup.sign_in_settings import explain_unusable_name


@pytest.mark.parametrize("host", ["0.0.0.0", "", "::", "192.0.2.1", "bench.example.org"])
def test_on_a_network_the_app_does_not_start_without_sign_in(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BenchError, match=r"does not start on .* without sign-in"):
        check_start(host)
    for near in ("127.0.0.1", "::1", "localhost"):
        check_start(near)
    monkeypatch.setenv("BENCHWRIGHT_SIGN_IN", "local")
    monkeypatch.setenv("BENCHWRIGHT_COOKIE_SECRET", "x" * 40)
    check_start(host)


@pytest.mark.parametrize(
    ("address", "sign_in", "sentence"),
    [("0.0.0.0", "", "BENCHWRIGHT_SIGN_IN=local"), ("127.0.0.1", "locla", "contains 'locla'")],
)
def test_the_refusal_is_one_sentence_and_status_1(address: str, sign_in: str, sentence: str, tmp_path: Path) -> None:
    words = ["run", "app.py", "--server.port", str(free_port()), "--server.address", address]
    environment = {**os.environ, "BENCHWRIGHT_WORKSPACE": str(tmp_path / "w.duckdb"), "BENCHWRIGHT_SIGN_IN": sign_in}
    app = ForkedApp(words, tmp_path / "app.log", environment)
    assert app.wait(120) == 1
    said = (tmp_path / "app.log").read_text()
    assert sentence in said and "Traceback" not in said and not (tmp_path / "w.duckdb").exists()


@pytest.mark.parametrize("base", ["bench", "/bench/", "bench/team"])
def test_a_base_path_that_begins_as_the_apps_own_addresses_is_refused(base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base_path.config, "get_option", {"server.baseUrlPath": base}.get)
    with pytest.raises(BenchError, match="first part of the base path cannot be `bench`"):
        check_start("127.0.0.1")
    for other in ("team/bench", "benchwright"):
        monkeypatch.setattr(base_path.config, "get_option", {"server.baseUrlPath": other}.get)
        check_start("127.0.0.1")


@pytest.mark.parametrize(("base", "named"), [("benchwright", "which is /benchwright"), ("", "which is empty")])
def test_a_list_of_workspaces_without_the_servers_own_is_refused(
    base: str, named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(base_path.config, "get_option", {"server.baseUrlPath": base}.get)
    monkeypatch.setenv("BENCHWRIGHT_WORKSPACES", "/law,/arts")
    with pytest.raises(BenchError, match=f"does not list the base path of this workspace, {named}"):
        check_start("127.0.0.1")
    monkeypatch.setattr(base_path.config, "get_option", {"server.baseUrlPath": "law"}.get)
    check_start("127.0.0.1")


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"BENCHWRIGHT_SIGN_IN": "locla"}, "contains 'locla'"),
        ({"BENCHWRIGHT_TRUSTED_PROXIES": "127.0.0.1"}, "does not start behind a proxy .* without sign-in"),
        ({"BENCHWRIGHT_SIGN_IN": "header"}, "name the header in BENCHWRIGHT_TRUSTED_HEADER"),
        ({"BENCHWRIGHT_SIGN_IN": "local", "BENCHWRIGHT_TRUSTED_PROXIES": "nginx"}, "contains 'nginx'"),
        ({"BENCHWRIGHT_SIGN_IN": "local", "BENCHWRIGHT_COOKIE_SECRET": "short"}, "shorter than 32"),
        ({"BENCHWRIGHT_SIGN_IN": "local", "BENCHWRIGHT_MODEL_HOSTS": "http://llm.lan"}, "contains 'http://llm.lan'"),
        ({"BENCHWRIGHT_SIGN_IN": "oidc", "BENCHWRIGHT_COOKIE_SECRET": "x" * 40}, "needs an identity provider"),
    ],
)
def test_a_wrong_setting_is_one_sentence(
    settings: dict[str, str], sentence: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("BENCHWRIGHT_WORKSPACE", str(tmp_path / "w.duckdb"))
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(BenchError, match=sentence):
        check_start("127.0.0.1")


@pytest.mark.parametrize("secret", ["", "x" * 39])
def test_a_short_cookie_secret_of_the_providers_is_refused_with_its_file(
    secret: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = write_secrets(tmp_path, secret)
    use_secrets(file, monkeypatch)
    with pytest.raises(BenchError, match=rf"cookie_secret of \[auth\] in {file} has fewer than 40 .*`openssl rand -hex 32"):
        streamlit_login.check_providers()
    write_secrets(tmp_path, "x" * 40)
    use_secrets(file, monkeypatch)
    streamlit_login.check_providers()


def test_a_person_of_an_unknown_provider_among_known_ones_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sign_in_settings, "_providers", [])
    monkeypatch.setenv("BENCHWRIGHT_SIGN_IN", "local,oidc")
    assert explain_unusable_name("googel:1") == "", "without the app, the providers are not known"
    use_secrets(write_secrets(tmp_path, "x" * 40), monkeypatch)
    (known,) = streamlit_login.list_providers()
    streamlit_login.check_providers()
    told = f"Nobody can sign in here as googel:1: the identity providers here are {known}."
    assert explain_unusable_name(" googel:1") == told
    assert [explain_unusable_name(name) for name in (f"{known}:1", "Ann")] == ["", ""]


def test_a_provider_without_a_client_id_is_refused_not_left_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = write_secrets(tmp_path, "x" * 40)
    file.write_text(
        file.read_text() + '\n[auth.work]\nclientid = "c"\nclient_secret = "s"\n[auth.client_kwargs]\nprompt = "login"\n'
    )
    use_secrets(file, monkeypatch)
    with pytest.raises(BenchError, match=r'provider "work" are missing the following keys: ..client_id'):
        streamlit_login.check_providers()


def test_a_refusal_names_the_secrets_file_that_the_setting_names(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    use_secrets(tmp_path / "none.toml", monkeypatch)
    with pytest.raises(BenchError, match=r"add one to \[auth\] in .*/none.toml \(there is no such file\)\.$"):
        streamlit_login.check_providers()
    file = tmp_path / "secrets.toml"
    file.write_text('[auth]\ncookie_secret = "x"\n[auth.work]\nclient_id = "c"\n')
    use_secrets(file, monkeypatch)
    with pytest.raises(BenchError, match=f'in {file} are missing the "redirect_uri" key'):
        streamlit_login.check_providers()


@pytest.mark.parametrize("content", [b"[auth]\ncookie_secret = hush hush\n", b'[auth]\ncookie_secret = "\xff"\n'])
def test_secrets_that_are_not_toml_are_one_sentence_without_the_secret(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: bytes
) -> None:
    file = tmp_path / "secrets.toml"
    file.write_bytes(content)
    use_secrets(file, monkeypatch)
    with pytest.raises(BenchError, match=rf"^{file} is not a TOML file: .*Compare it with ") as raised:
        check_secrets_files()
    assert "hush" not in str(raised.value)


def test_secrets_that_the_account_cannot_read_are_one_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = write_secrets(tmp_path, "x" * 40)
    use_secrets(file, monkeypatch)
    check_secrets_files()
    use_secrets(tmp_path / "none.toml", monkeypatch)
    check_secrets_files()

    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)  # root reads every file
    use_secrets(file, monkeypatch)
    with pytest.raises(BenchError, match=rf"^{file} cannot be read \(Permission denied\): let the account"):
        check_secrets_files()


def write_secrets(folder: Path, secret: str) -> Path:
    """Fill in deploy/secrets.toml.example, with this secret for cookies."""
    file = folder / "secrets.toml"
    example = Path("deploy/secrets.toml.example").read_text()
    file.write_text(example.replace('cookie_secret = ""', f'cookie_secret = "{secret}"'))
    return file


def use_secrets(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Streamlit read its secrets anew, from this file."""
    option = config.get_config_options()["secrets.files"]
    monkeypatch.setattr(option, "_get_val_func", lambda: [str(file)])
    monkeypatch.setattr(option, "where_defined", "environment variable")
    monkeypatch.setattr(secrets_singleton, "_secrets", None)
    monkeypatch.setattr(secrets_singleton, "_file_watchers_installed", True)  # one would load a file in a later test


@pytest.mark.fault(47)
def test_no_provider_can_name_people_of_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streamlit_login, "list_providers", lambda: ["google", "header"])
    with pytest.raises(BenchError, match="`header` is reserved for proxy sign-in"):
        streamlit_login.check_providers()


def test_a_secret_that_others_can_read_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BENCHWRIGHT_WORKSPACE", str(tmp_path / "w.duckdb"))
    (tmp_path / "w.duckdb.cookie-secret").write_text("x" * 40)
    (tmp_path / "w.duckdb.cookie-secret").chmod(0o644)
    with pytest.raises(BenchError, match="Other users can read"):
        check_secret()


def test_the_browsers_address_is_what_the_last_trusted_proxy_saw(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCHWRIGHT_TRUSTED_PROXIES", "10.0.0.0/8")
    settings = load_sign_in_settings()

    def seen(peer: str, forwarded: str) -> str:
        return find_client({"client": (peer, 1), "headers": [(b"x-forwarded-for", forwarded.encode())]}, settings)

    assert seen("192.0.2.9", "203.0.113.5") == "192.0.2.9", "anybody can write the header"
    assert seen("10.0.0.1", "198.51.100.1, 203.0.113.5, 10.0.0.2") == "203.0.113.5"
    assert seen("10.0.0.1", "") == "10.0.0.1"
    assert not is_from_this_machine({"client": None, "headers": []})
