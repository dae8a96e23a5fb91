"""Every regular expression of the program, and for each the texts on which a backtracking matcher works longest."""

import ast
import importlib
import re
import re._constants as kinds
import re._parser as sre_parse
import string
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

ROOT = Path(__file__).parent.parent
_REPEATS = {kinds.MAX_REPEAT, kinds.MIN_REPEAT, kinds.POSSESSIVE_REPEAT}
_LONG = 40
"""Repeats of fewer are not a danger."""
_ENDS = ("\0", "\n!x")
MOST = 3.0
"""Times as long may a text of twice the length take: linear is 2, a square is 4."""
LENGTHS = tuple(100 * 2**n for n in range(8))
_ANCHORED = {"match", "fullmatch"}
_WAYS = {"match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer"}


class Found(NamedTuple):
    """A regular expression where it stands."""

    where: str
    pattern: re.Pattern[str]
    is_anchored: bool
    """It is only matched from a text's beginning."""


def every(folders: Iterable[str]) -> list[Found]:
    """Those of the Python files in these folders: compiled ones, and the words given to functions of `re`."""
    found: dict[tuple[str, str, int], Found] = {}
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if "shipped" in path.parts:
                continue
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            module = importlib.import_module(name.removesuffix(".__init__"))
            tree = ast.parse(path.read_text(encoding="utf-8"))
            ways = _ways(tree)
            for where, pattern in _of_module(module, tree):
                key = (name, str(pattern.pattern), pattern.flags)
                used = ways.get(where.partition("[")[0], set())
                is_anchored = (bool(used) and used <= _ANCHORED) or where.partition("[")[0] in _ANCHORED
                found.setdefault(key, Found(f"{name}:{where}", pattern, is_anchored))
    return list(found.values())


def _ways(tree: ast.AST) -> dict[str, set[str]]:
    """Name of a pattern -> the ways in which its module uses it."""
    found: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in _WAYS and isinstance(node.value, ast.Name):
            found.setdefault(node.value.id, set()).add(node.attr)
    return found


def _of_module(module: Any, tree: ast.AST) -> Iterator[tuple[str, re.Pattern[str]]]:
    for name, value in vars(module).items():
        for place, pattern in _inside(value, name, 0):
            if isinstance(pattern.pattern, str):
                yield place, pattern
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and getattr(node.func.value, "id", "") == "re":
            if node.func.attr not in _WAYS | {"compile"} or not node.args:
                continue
            flags = next((k.value for k in node.keywords if k.arg == "flags"), None)
            place = {"compile": 1, "match": 2, "search": 2, "fullmatch": 2, "findall": 2, "finditer": 2}.get(node.func.attr, 9)
            flags = node.args[place] if flags is None and len(node.args) > place else flags
            try:
                words = _value(node.args[0], module)
                pattern = re.compile(words, _value(flags, module) if flags is not None else 0)
            except (NameError, TypeError, AttributeError, KeyError):
                continue  # it is made of what a function is given
            if isinstance(pattern.pattern, str):
                yield f"{node.func.attr}[line {node.lineno}]", pattern


def _value(node: ast.expr, module: Any) -> Any:
    return eval(compile(ast.Expression(node), "pattern", "eval"), vars(module))


def _inside(value: Any, name: str, depth: int) -> Iterator[tuple[str, re.Pattern[Any]]]:
    if isinstance(value, re.Pattern):
        yield name, value
    elif depth < 4 and isinstance(value, dict):
        for key, one in value.items():
            yield from _inside(one, f"{name}[{key}]", depth + 1)
    elif depth < 4 and isinstance(value, list | tuple | set | frozenset):
        for number, one in enumerate(value):
            yield from _inside(one, f"{name}[{number}]", depth + 1)


class Attack(NamedTuple):
    """A text on which a backtracking matcher works long."""

    before: str
    """Leads to a repeat."""
    unit: str
    """What the repeat takes, over and over."""
    end: str
    """On this it fails."""

    def text(self, length: int) -> str:
        return self.before + (self.unit * (length // len(self.unit) + 1))[:length] + self.end


def attacks(pattern: re.Pattern[str]) -> list[Attack]:
    """Of every long repeat in the pattern: with its body alone, and with what must stand before it again and again."""
    found: dict[Attack, None] = {}
    for before, bodies in _repeats(sre_parse.parse(pattern.pattern, pattern.flags), ""):
        for body in bodies:
            for unit in dict.fromkeys((body, before + body)):
                if unit:
                    found |= dict.fromkeys(Attack(before, unit, end) for end in _ENDS)
    return list(found)


def _repeats(tree: Any, before: str) -> Iterator[tuple[str, Sequence[str]]]:
    """(a text that leads to it, texts that it takes once) of each long repeat."""
    for kind, value in tree:
        if kind in _REPEATS:
            least, most, body = value
            if most == kinds.MAXREPEAT or most >= _LONG:
                yield before, _samples(body)
            yield from _repeats(body, before)
            before += _sample(body) * least
        elif kind is kinds.SUBPATTERN:
            yield from _repeats(value[3], before)
            before += _sample(value[3])
        elif kind is kinds.ATOMIC_GROUP:
            yield from _repeats(value, before)
            before += _sample(value)
        elif kind is kinds.BRANCH:
            for branch in value[1]:
                yield from _repeats(branch, before)
            before += _sample(value[1][0])
        elif kind in (kinds.ASSERT, kinds.ASSERT_NOT):
            yield from _repeats(value[1], before)
        elif kind is kinds.GROUPREF_EXISTS:
            continue
        else:
            before += _sample([(kind, value)])


def _samples(body: Any) -> list[str]:
    """What the body of a repeat takes: each of some characters where it is one class, else an example."""
    if len(body) == 1 and body[0][0] in (kinds.IN, kinds.ANY, kinds.NOT_LITERAL):
        kept = [one for one in ' a1.\n北"-A,#' if _takes(body[0], one)]
        return kept[:5] or [_sample(body)]
    if len(body) == 1 and body[0][0] is kinds.SUBPATTERN:
        return _samples(body[0][1][3])
    if len(body) == 1 and body[0][0] is kinds.BRANCH:
        return list(dict.fromkeys(sample for branch in body[0][1][1] for sample in _samples(branch)))[:6]
    return list(dict.fromkeys((_sample(body), _sample(body, once=True))))


def _sample(tree: Any, once: bool = False) -> str:
    """The shortest text that the tree takes, about; with `once`, each repeat in it at least once."""
    out = ""
    for kind, value in tree:
        if kind is kinds.LITERAL:
            out += chr(value)
        elif kind in (kinds.IN, kinds.ANY, kinds.NOT_LITERAL):
            out += next((one for one in f"a1 {string.printable}北。“”" if _takes((kind, value), one)), "") or _of_class(value)
        elif kind in _REPEATS:
            out += _sample(value[2], once) * max(value[0], int(once and value[1] > 0))
        elif kind is kinds.SUBPATTERN:
            out += _sample(value[3], once)
        elif kind is kinds.ATOMIC_GROUP:
            out += _sample(value, once)
        elif kind is kinds.BRANCH:
            out += _sample(value[1][0], once)
    return out


def _of_class(value: Any) -> str:
    for kind, inner in value:
        if kind is kinds.LITERAL:
            return chr(inner)
        if kind is kinds.RANGE:
            return chr(inner[0])
    return ""


def _takes(node: Any, character: str) -> bool:
    kind, value = node
    if kind is kinds.ANY:
        return character != "\n"
    if kind is kinds.NOT_LITERAL:
        return ord(character) != value
    return _in_class(value, character)


def _in_class(value: Any, character: str) -> bool:
    tests = {
        kinds.CATEGORY_DIGIT: str.isdecimal,
        kinds.CATEGORY_SPACE: str.isspace,
        kinds.CATEGORY_WORD: lambda one: one.isalnum() or one == "_",
    }
    opposite = {
        kinds.CATEGORY_NOT_DIGIT: kinds.CATEGORY_DIGIT,
        kinds.CATEGORY_NOT_SPACE: kinds.CATEGORY_SPACE,
        kinds.CATEGORY_NOT_WORD: kinds.CATEGORY_WORD,
    }
    negated = bool(value) and value[0][0] is kinds.NEGATE
    hit = False
    for kind, inner in value:
        if kind is kinds.LITERAL:
            hit |= ord(character) == inner
        elif kind is kinds.RANGE:
            hit |= inner[0] <= ord(character) <= inner[1]
        elif kind is kinds.CATEGORY:
            hit |= not tests[opposite[inner]](character) if inner in opposite else bool(tests[inner](character))
    return hit != negated


class Worst(NamedTuple):
    """The text on which a pattern does worst."""

    ratio: float
    """How many times as long it takes on a text of twice the length; 1 when nothing takes time enough to be measured."""
    text: str
    """The beginning of that text."""


def seconds(found: Found, text: str) -> float:
    """Computing time of the best of three."""
    times = []
    for _ in range(3):
        began = process_time()
        if found.is_anchored:
            found.pattern.match(text)
            found.pattern.fullmatch(text)
        else:
            for _ in found.pattern.finditer(text):
                pass
        times.append(process_time() - began)
        if times[-1] < 0.0005:
            break
    return min(times)


def worst(found: Found, lengths: Sequence[int] = LENGTHS, least: float = 0.002, most: float = MOST) -> Worst:
    """Each text is measured at the first of the lengths that takes `least` seconds; the first bad enough is the worst."""
    result = Worst(1.0, "")
    for attack in attacks(found.pattern):
        for length in lengths:
            took = seconds(found, attack.text(length))
            if took >= least:
                ratio = min(seconds(found, attack.text(2 * length)) / took for _ in range(2))
                if ratio > most:  # a busy machine makes a line look like a square, but not three times
                    again = [seconds(found, attack.text(2 * length)) / seconds(found, attack.text(length)) for _ in range(3)]
                    ratio = min(ratio, *again)
                result = max(result, Worst(ratio, attack.text(20)))
                break
        if result.ratio > most:
            break
    return result
