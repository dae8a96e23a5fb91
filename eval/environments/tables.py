"""Offer a system functions over tables, derived from the tables' specs: search by name, get by key, follow a relation,
aggregate. All functions see the tables as they were at the time of the question. The settings distractors, nearest and
distractor_seed of a system determine which rows the tables have in addition to those that the questions are about."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from core.errors import BenchError
from core.functions.function import Type
from core.functions.functions import Function, FunctionResult, Parameter, Registry, as_text, finish_function
from core.installation import COMMAND
from core.tables.default_functions import key_argument, list_functions
from core.tables.nouns import ColumnType, TableFunction, TableSpec
from core.tables.queries import CONDITIONS, MEASURES, compute_figure, find_by_name, follow_relation, select_cells
from core.tables.world import EntityTable, TableRow, Tables
from eval.environment import Environment, EnvironmentSources

_TYPES: Mapping[ColumnType, Type] = {"integer": "integer", "number": "number", "boolean": "boolean"}


def _open(sources: EnvironmentSources, now: str | None, language: str) -> Registry:
    tables = sources.tables
    functions = [function for table in tables for function in make_functions(tables, table, now, language)]
    if not functions:
        raise BenchError(
            f"The environment 'tables' has no entity table to query: add tables (`{COMMAND} tables FOLDER`) before the "
            "release is frozen, or use only documents with --set environment=documents."
        )
    return Registry([*functions, finish_function()], now, language)


def make_functions(tables: Tables, table: str, now: str | None, language: str) -> list[Function]:
    """Return the functions that a system can call on one table."""
    makers = [_Maker(tables, tables[table], function, now, language == "zh") for function in list_functions(tables, table)]
    return [_MAKERS[maker.function.kind](maker) for maker in makers]


@dataclass
class _Maker:
    """Builds one function that reads a table as it was at a given time."""

    tables: Tables
    table: EntityTable
    function: TableFunction
    now: str | None
    is_zh: bool

    @property
    def spec(self) -> TableSpec:
        return self.table.spec

    @property
    def argument(self) -> str:
        return self.function.argument or ("name" if self.function.kind == "search" else key_argument(self.spec))

    @property
    def fields(self) -> str:
        return ", ".join(self.function.columns)

    def select(self, row: TableRow) -> Any:
        return select_cells(self.tables, row, self.function.columns, self.now)

    def list_records(self, rows: list[TableRow], total: int | None = None) -> FunctionResult:
        """Return the records of the rows; `total` is the number of all matching rows, if only some are returned."""
        records = [self.select(row) for row in rows]
        n, is_more = len(records), total is not None and total > len(records)
        if self.is_zh:
            head = f"{f'共 {total} 个，前 ' if is_more else ''}{n} 个结果：" if records else "没有结果。"
        else:
            of = f" of {total}" if is_more else ""
            head = "No result." if not records else "One result: " if n == 1 else f"{n}{of} results: "
        return FunctionResult(records, head + (as_text(records[0] if n == 1 else records) if records else ""))

    def make(
        self,
        about: str,
        zh: str,
        returns: str,
        zh_returns: str,
        parameters: tuple[Parameter, ...],
        call: Callable[..., object],
        is_fuzzy: bool = False,
    ) -> Function:
        """Return the function, described by the table's spec or, if the spec has no description, by `about`."""
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

    def make_keyed(self, about: str, zh: str, returns: str, zh_returns: str, read: Callable[[TableRow], object]) -> Function:
        """Return a function that takes a key and reads the row that has this key. If no row has the key, the function's message
        does not repeat the key, because a repeated key would count as a text that the system observed."""
        kind, entity = _TYPES.get(self.spec.columns[self.spec.key], "string"), self.spec.entity
        parameter = Parameter(self.argument, kind, f"The key of a {entity}.", zh=f"{entity} 的键值。")
        missing = f"没有这个 {self.argument} 的{entity}。" if self.is_zh else f"No {entity} has this {self.argument}."

        def call(**arguments: Any) -> object:
            place = self.table.find_row(arguments[self.argument], self.now)
            return FunctionResult(None, missing) if place is None else read(TableRow(self.spec.name, place))

        return self.make(about, zh, returns, zh_returns, (parameter,), call)


def _make_search(maker: _Maker) -> Function:
    entity, function = maker.spec.entity, maker.function
    name = Parameter(maker.argument, "string", f"The name of a {entity}, or a part.", zh=f"{entity}的名称或其一部分。")
    words = {column: (f"Only those with this {column}.", f"只要 {column} 与此相符的。") for column in function.filters}
    filters = [Parameter(column, "string", en, required=False, zh=zh) for column, (en, zh) in words.items()]

    def call(**arguments: Any) -> object:
        name = arguments.pop(maker.argument)
        return maker.list_records(find_by_name(maker.tables, maker.spec.name, function, name, arguments, maker.now))

    order = ", the likest first" + (f", then by {function.order}" if function.order else "")
    return maker.make(
        f"Finds each {entity} by name.",
        f"按名称查找{entity}。",
        f"at most {function.limit} results{order}, each with {maker.fields}.",
        f"最多 {function.limit} 个结果，含 {maker.fields}。",
        (name, *filters),
        call,
        is_fuzzy=True,
    )


def _make_get(maker: _Maker) -> Function:
    about, zh = f"Gives what is known of a {maker.spec.entity}.", f"给出一个{maker.spec.entity}的信息。"
    return maker.make_keyed(about, zh, f"{maker.fields}.", f"{maker.fields}。", maker.select)


def _make_value(maker: _Maker) -> Function:
    [(name, path)] = maker.function.columns.items()
    about, zh = f"Gives the {name} of a {maker.spec.entity}.", f"给出一个{maker.spec.entity}的 {name}。"
    return maker.make_keyed(about, zh, f"{name}.", f"{name}。", lambda row: maker.tables.value(row, path, maker.now))


def _make_follow(maker: _Maker) -> Function:
    function = maker.function

    def read(row: TableRow) -> object:
        related = follow_relation(maker.tables, row, function, maker.now)
        return maker.list_records(related.rows, related.total)

    order = f", by {function.order}" if function.order else ""
    return maker.make_keyed(
        f"Gives the {function.relation} of a {maker.spec.entity}.",
        f"给出一个{maker.spec.entity}的 {function.relation}。",
        f"at most {function.limit}{order}, each with {maker.fields}.",
        f"最多 {function.limit} 个，含 {maker.fields}。",
        read,
    )


def _make_aggregate(maker: _Maker) -> Function:
    columns = tuple(maker.spec.columns)

    def call(
        measure: str, column: str | None = None, where: str | None = None, condition: str = "=", value: str | None = None
    ) -> object:
        if where is None and value is not None:
            raise BenchError(f"{maker.function.name} got a value but no column to compare it with: give the column as `where`.")
        total = compute_figure(maker.tables, maker.spec.name, measure, column, where, condition, value, maker.now)
        return {"measure": measure, "column": column, "value": total.value, "n": total.n}

    def choose(name: str, about: str, choices: tuple[str, ...], zh: str) -> Parameter:
        return Parameter(name, "string", about, required=False, choices=choices, zh=zh)

    return maker.make(
        f"Reckons one figure over every {maker.spec.entity}, or over those that meet a condition.",
        f"对全部或符合条件的{maker.spec.entity}计算一个数值。",
        "measure, column, value and n, the rows behind it.",
        "measure、column、value 和行数 n。",
        (
            Parameter("measure", "string", "What to reckon.", choices=MEASURES, zh="计算方式。"),
            choose("column", "Of which column; count can do without.", columns, "对哪一列；count 可省略。"),
            choose("where", "The column of the condition.", columns, "条件所用的列。"),
            choose("condition", "How it compares; = where none is given.", CONDITIONS, "比较方式；默认为 =。"),
            Parameter("value", "string", "What it is compared with.", required=False, zh="用来比较的值。"),
        ),
        call,
    )


_MAKERS: Mapping[str, Callable[[_Maker], Function]] = {
    "search": _make_search,
    "get": _make_get,
    "value": _make_value,
    "follow": _make_follow,
    "aggregate": _make_aggregate,
}

ENVIRONMENT = Environment(label="Tables: search, get, follow, aggregate", open=_open)
