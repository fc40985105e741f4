"""Tables of any library as rows, and rows as JSON lines.

No library of tables is imported here unless an object of another one says that it can be read as
Arrow; what an object is, its class says.
"""

from __future__ import annotations

import datetime
import decimal
import enum
import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

# Rows that are made at once of a table.
_AT_ONCE = 65_536


def is_table(data: object) -> bool:
    """Whether this is a table or a list of records, and not a path or a list of runs."""
    if isinstance(data, (list, tuple)):
        return all(isinstance(row, Mapping) for row in data)
    return not isinstance(data, (str, bytes, os.PathLike, Mapping)) and (
        isinstance(data, Iterable) or _reader(data) is not None
    )


def write(data: Any, path: Path) -> None:
    """Writes one JSON object for each row.

    Raises:
        TypeError: For what is no table, and for values that no JSON can hold.
        ValueError: For columns that share a name.
    """
    # A lone surrogate becomes the escape that JSON has for it.
    with path.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
        for at, row in enumerate(_rows(data)):
            try:
                file.write(to_json(row) + "\n")
            except TypeError as error:
                raise TypeError(f"row {at}: {error}") from None


def to_json(value: object) -> str:
    """One line of JSON. NaN and infinities stay what they are: the program tells of them."""
    try:
        return json.dumps(value, default=_plain, ensure_ascii=False, separators=(",", ":"))
    except TypeError:  # keys that are no texts, which `default` is not asked about
        return json.dumps(_of_plain_keys(value), ensure_ascii=False, separators=(",", ":"))


def _of_plain_keys(value: object) -> object:
    if isinstance(value, Mapping):
        return {str(_key(key)): _of_plain_keys(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_of_plain_keys(one) for one in value]
    if value is None or isinstance(value, (str, int, float)):
        return value
    return _of_plain_keys(_plain(value))


def _key(key: object) -> object:
    return key if isinstance(key, (str, int, float)) else _plain(key)


def _plain(value: Any) -> object:
    """What JSON knows, for a value that it does not."""
    if _name(type(value)) in {"pandas.NAType", "pandas.NaTType"}:
        return None
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, decimal.Decimal):
        return float(value)
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, datetime.timedelta):
        return value.total_seconds()
    if isinstance(value, (set, frozenset)):
        return sorted(value, key=repr)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return "sha256:" + hashlib.sha256(value).hexdigest()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if hasattr(value, "tolist"):  # numpy scalars and arrays
        return value.tolist()
    if hasattr(value, "to_list"):  # a column within a column
        return value.to_list()
    raise TypeError(f"a value of type {_name(type(value))} cannot be written: {value!r:.60}")


def _name(kind: type) -> str:
    return f"{kind.__module__.partition('.')[0]}.{kind.__name__}"


def _reader(data: object) -> Callable[[Any], Iterator[object]] | None:
    """How the rows of this table are read; of a subclass as of its parent."""
    for kind in type(data).__mro__:
        if reader := _READERS.get(_name(kind)):
            return reader
    return _of_stream if hasattr(data, "__arrow_c_stream__") else None


def _rows(data: Any) -> Iterator[object]:
    reader = _reader(data) or _of_records
    return reader(data)


def _of_records(records: Iterable[object]) -> Iterator[object]:
    for at, row in enumerate(records):
        if not isinstance(row, Mapping):
            raise TypeError(f"row {at} is no record but of type {_name(type(row))}")
        yield row


def _of_pandas(frame: Any) -> Iterator[object]:
    """Rows of a pandas frame; levels of its index that have a name are columns too."""
    named = [level for level in frame.index.names if level is not None]
    columns = [(str(level), frame.index.get_level_values(level).to_series()) for level in named]
    columns = [column for column in columns if column[0] not in map(str, frame.columns)]
    columns += [(str(name), frame.iloc[:, at]) for at, name in enumerate(frame.columns)]
    names = _distinct([name for name, _ in columns])
    for start in range(0, len(frame), _AT_ONCE):
        parts = [column.iloc[start : start + _AT_ONCE] for _, column in columns]
        lists = [
            # pandas says "missing" with NaN, NaT, NA and None
            [None if absent else one for one, absent in zip(part.tolist(), part.isna().tolist())]
            for part in parts
        ]
        for values in zip(*lists):
            yield dict(zip(names, values))


def _of_series(series: Any) -> Iterator[object]:
    return _of_pandas(series.to_frame())


def _of_polars(frame: Any) -> Iterator[object]:
    yield from frame.iter_rows(named=True)


def _of_lazy_polars(frame: Any) -> Iterator[object]:
    return _of_polars(frame.collect())


def _of_arrow(table: Any) -> Iterator[object]:
    yield from _of_batches(table.schema, table.to_batches(_AT_ONCE))


def _of_batch(batch: Any) -> Iterator[object]:
    yield from _of_batches(batch.schema, [batch])


def _of_batches(schema: Any, batches: Iterable[Any]) -> Iterator[object]:
    _distinct(schema.names)
    for batch in batches:
        yield from batch.to_pylist()


def _of_stream(data: Any) -> Iterator[object]:
    """Rows of whatever offers the Arrow interface for streams, such as results of DuckDB."""
    import pyarrow

    reader = pyarrow.RecordBatchReader.from_stream(data)
    yield from _of_batches(reader.schema, reader)


def _distinct(names: list[str]) -> list[str]:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"columns share a name: {', '.join(twice)}")
    return names


_READERS = {
    "pandas.DataFrame": _of_pandas,
    "pandas.Series": _of_series,
    "polars.DataFrame": _of_polars,
    "polars.LazyFrame": _of_lazy_polars,
    "pyarrow.Table": _of_arrow,
    "pyarrow.RecordBatch": _of_batch,
}
