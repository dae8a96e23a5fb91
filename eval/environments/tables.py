"""Tables asked by functions that follow from their specs: search by name, get by key, follow a relation, aggregate; all as of
the question's time. How many rows stand there beside those that questions are about is a setting of the systems that ask them
(distractors, nearest, distractor_seed)."""

from collections.abc import Callable, Mapping
from typing import Any

from core.errors import BenchError
from core.functions.function import Type
from core.functions.functions import Function, FunctionResult, Parameter, Registry, as_text, finish_function
from core.tables.default_functions import key_argument, list_functions
from core.tables.nouns import ColumnType, TableFunction, TableSpec
from core.tables.queries import CONDITIONS, MEASURES, compute_figure, find_by_name, follow_relation, select_cells
from core.tables.world import EntityTable, TableRow, Tables
from eval.environment import Environment, EnvironmentSources

_TYPES: Mapping[ColumnType, Type] = {"integer": "integer", "number": "number", "boolean": "boolean"}


def _open(ground: EnvironmentSources, now: str | None, language: str) -> Registry:
    functions = [made for table in ground.tables for made in make_functions(ground.tables, table, now, language)]
    if not functions:
        raise BenchError("The environment tables has no table of entities to ask: add one, or choose another environment.")
    return Registry([*functions, finish_function()], now, language)


def make_functions(tables: Tables, table: str, now: str | None, language: str) -> list[Function]:
    """The functions of one table."""
    return [_MAKERS[one.kind](_Of(tables, tables[table], one, now, language == "zh")) for one in list_functions(tables, table)]


class _Of:
    """A function of a table, as of a time."""

    def __init__(self, tables: Tables, table: EntityTable, function: TableFunction, now: str | None, is_zh: bool) -> None:
        self.tables, self.table, self.function, self.now, self.is_zh = tables, table, function, now, is_zh

    @property
    def spec(self) -> TableSpec:
        return self.table.spec

    @property
    def argument(self) -> str:
        return self.function.argument or ("name" if self.function.kind == "search" else key_argument(self.spec))

    @property
    def fields(self) -> str:
        return ", ".join(self.function.columns)

    def key(self) -> Parameter:
        return Parameter(
            self.argument,
            _TYPES.get(self.spec.columns[self.spec.key], "string"),
            f"The key of a {self.spec.entity}.",
            zh=f"{self.spec.entity} 的键值。",
        )

    def row(self, given: Mapping[str, Any]) -> TableRow | FunctionResult:
        """The row of the key that was given, or the words that there is none; they do not repeat the key, which would pass for
        something that was found (the answer in what a system saw, R-Eval)."""
        key = given[self.argument]
        place = self.table.find_row(key, self.now)
        if place is None:
            return FunctionResult(
                None,
                f"没有这个 {self.argument} 的{self.spec.entity}。"
                if self.is_zh
                else f"No {self.spec.entity} has this {self.argument}.",
            )
        return TableRow(self.spec.name, place)

    def records(self, rows: list[TableRow], total: int | None = None) -> FunctionResult:
        """`total` = how many there are, where that is more than are given."""
        found = [select_cells(self.tables, row, self.function.columns, self.now) for row in rows]
        if self.is_zh:
            of = f"共 {total} 个，前 " if total is not None and total > len(found) else ""
            head = f"{of}{len(found)} 个结果：" if found else "没有结果。"
        else:
            of = f" of {total}" if total is not None and total > len(found) else ""
            head = "No result." if not found else "One result: " if len(found) == 1 else f"{len(found)}{of} results: "
        return FunctionResult(found, head + (as_text(found[0] if len(found) == 1 else found) if found else ""))

    def make_function(
        self,
        about: str,
        zh: str,
        returns: str,
        zh_returns: str,
        parameters: tuple[Parameter, ...],
        call: Callable[..., object],
        is_fuzzy: bool = False,
    ) -> Function:
        return Function(
            name=self.function.name,
            description=self.function.about or about,
            zh="" if self.function.about else zh,
            parameters=parameters,
            returns=returns,
            zh_returns=zh_returns,
            call=call,
            match="fuzzy" if is_fuzzy else "exact",
        )


def _search(of: _Of) -> Function:
    spec, function = of.spec, of.function
    filters = tuple(
        Parameter(name, "string", f"Only those with this {name}.", required=False, zh=f"只要 {name} 与此相符的。")
        for name in function.filters
    )

    def call(**given: Any) -> object:
        name = given.pop(of.argument)
        return of.records(find_by_name(of.tables, spec.name, function, name, given, of.now))

    order = ", the likest first" + (f", then by {function.order}" if function.order else "")
    return of.make_function(
        f"Finds each {spec.entity} by name.",
        f"按名称查找{spec.entity}。",
        f"at most {function.limit} results{order}, each with {of.fields}.",
        f"最多 {function.limit} 个结果，含 {of.fields}。",
        (
            Parameter(of.argument, "string", f"The name of a {spec.entity}, or a part.", zh=f"{spec.entity}的名称或其一部分。"),
            *filters,
        ),
        call,
        is_fuzzy=True,
    )


def _get(of: _Of) -> Function:
    def call(**given: Any) -> object:
        row = of.row(given)
        return row if isinstance(row, FunctionResult) else select_cells(of.tables, row, of.function.columns, of.now)

    return of.make_function(
        f"Gives what is known of a {of.spec.entity}.",
        f"给出一个{of.spec.entity}的信息。",
        f"{of.fields}.",
        f"{of.fields}。",
        (of.key(),),
        call,
    )


def _value(of: _Of) -> Function:
    [(name, path)] = of.function.columns.items()

    def call(**given: Any) -> object:
        row = of.row(given)
        return row if isinstance(row, FunctionResult) else of.tables.value(row, path, of.now)

    return of.make_function(
        f"Gives the {name} of a {of.spec.entity}.",
        f"给出一个{of.spec.entity}的 {name}。",
        f"{name}.",
        f"{name}。",
        (of.key(),),
        call,
    )


def _follow(of: _Of) -> Function:
    def call(**given: Any) -> object:
        row = of.row(given)
        if isinstance(row, FunctionResult):
            return row
        led = follow_relation(of.tables, row, of.function, of.now)
        return of.records(led.rows, led.total)

    function = of.function
    order = f", by {function.order}" if function.order else ""
    return of.make_function(
        f"Gives the {function.relation} of a {of.spec.entity}.",
        f"给出一个{of.spec.entity}的 {function.relation}。",
        f"at most {function.limit}{order}, each with {of.fields}.",
        f"最多 {function.limit} 个，含 {of.fields}。",
        (of.key(),),
        call,
    )


def _aggregate(of: _Of) -> Function:
    columns = tuple(of.spec.columns)

    def call(
        measure: str, column: str | None = None, where: str | None = None, condition: str = "=", value: str | None = None
    ) -> object:
        if where is None and value is not None:
            raise BenchError(f"{of.function.name} was given a value and no column to compare it with: name it as `where`.")
        found = compute_figure(of.tables, of.spec.name, measure, column, where, condition, value, of.now)
        return {"measure": measure, "column": column, "value": found.value, "n": found.n}

    return of.make_function(
        f"Reckons one figure over every {of.spec.entity}, or over those that meet a condition.",
        f"对全部或符合条件的{of.spec.entity}计算一个数值。",
        "measure, column, value and n, the rows behind it.",
        "measure、column、value 和行数 n。",
        (
            Parameter("measure", "string", "What to reckon.", choices=MEASURES, zh="计算方式。"),
            Parameter(
                "column",
                "string",
                "Of which column; count can do without.",
                required=False,
                choices=columns,
                zh="对哪一列；count 可省略。",
            ),
            Parameter("where", "string", "The column of the condition.", required=False, choices=columns, zh="条件所用的列。"),
            Parameter(
                "condition",
                "string",
                "How it compares; = where none is given.",
                required=False,
                choices=CONDITIONS,
                zh="比较方式；默认为 =。",
            ),
            Parameter("value", "string", "What it is compared with.", required=False, zh="用来比较的值。"),
        ),
        call,
    )


_MAKERS: Mapping[str, Callable[[_Of], Function]] = {
    "search": _search,
    "get": _get,
    "value": _value,
    "follow": _follow,
    "aggregate": _aggregate,
}

ENVIRONMENT = Environment(label="Tables: search, get, follow, aggregate", open=_open)
