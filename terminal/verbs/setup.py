"""Command-line verbs that manage saved agents and prompts."""

from argparse import Namespace
from typing import Any

from agents.naming import check_settings
from core.as_json import as_json
from core.errors import BenchError
from terminal import paths
from terminal.choosing import join_lines
from terminal.output import show
from terminal.session import Session
from terminal.verbs.work import read_text
from workbench.settings import parse_settings


def list_agents(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        cards = b.agent_list.list_agents()
    records = [{**as_json(card), "hint": card.hint} for card in cards]
    lines = (f"{card.name}  {card.label}  {card.hint}" for card in cards)
    show(session, options, {"agents": records}, lambda: join_lines(lines, "No agents."))


def save_agent(session: Session, options: Namespace) -> None:
    paths.agent(session.folder, f"{options.kind}:{options.model}")
    settings = check_settings(f"{options.kind}:{options.model}", parse_settings(options.set))
    record = {
        "name": options.name,
        "kind": options.kind,
        "model": options.model,
        "base_url": options.url,
        "key_env": options.key_env,
        **settings,
    }
    with session.bench(options) as b:
        name = b.agent_list.save(record, replaces=options.name)
    show(session, options, {**record, "name": name}, f"{name}: saved.")


def remove_agent(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        if all(card.saved is None or card.name != options.name for card in b.agent_list.list_agents()):
            raise BenchError(f"No agent is saved as {options.name!r}: `agents list` lists the saved agents.")
        b.agent_list.delete(options.name)
    show(session, options, {"removed": options.name}, f"{options.name}: removed.")


def list_models(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        models = b.agent_list.list_models(options.url, options.key_env)
    show(session, options, {"models": models}, lambda: join_lines(models, "The endpoint lists no models."))


def list_prompts(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        records: list[dict[str, Any]] = [as_json(line) for line in b.prompts.list_prompts()]
    lines = (f"{r['name']}  {r['version'] or 'delivered'}  {r['purpose']}" for r in records)
    show(session, options, {"prompts": records}, lambda: join_lines(lines, "No prompts."))


def show_prompt(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        card = b.prompts.card(options.name)
    versions = [as_json(version) for version in card.versions]
    record = {"name": options.name, "text": card.text, "delivered": card.current is None, "versions": versions}
    show(session, options, {**record, "users": list(card.users), "trouble": card.trouble}, card.text.rstrip("\n"))


def save_prompt(session: Session, options: Namespace) -> None:
    text = read_text(session, options.file)
    with session.bench(options) as b:
        version = b.prompts.save(options.name, text, by=options.person, note=options.note)
    stands = "the delivered version" if version is None else f"version {version.number}"
    show(session, options, {"name": options.name, "version": as_json(version)}, f"{options.name}: {stands} is in use.")


def use_prompt(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        versions = b.prompts.card(options.name).versions
        asked = options.version
        found = [v.hash for v in versions if asked == str(v.number)] or [v.hash for v in versions if v.hash.startswith(asked)]
        if asked != "delivered" and not found:
            raise BenchError(f"Prompt {options.name} has no version {asked}: `prompts show --json` lists its versions.")
        b.prompts.choose_version(options.name, None if asked == "delivered" else found[0], by=options.person)
    show(session, options, {"name": options.name, "version": asked}, f"{options.name}: version {asked} is in use.")
