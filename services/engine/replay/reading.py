"""Reading JSON lines, plain or gzipped, with the line number of whatever is wrong."""

import gzip
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, Final, TypeVar, cast

from pydantic import BaseModel, ValidationError

LINE_BYTES_MAX: Final = 1_000_000

R = TypeVar("R", bound=BaseModel)


class UnreadableError(Exception):
    """An input that cannot be read; the message names the file and, if any, the line."""

    def __init__(self, path: Path, line: int | None, problem: str) -> None:
        super().__init__(f"{path}:{line}: {problem}" if line else f"{path}: {problem}")


def read_records(
    path: Path, record_class: type[R], on_bytes: Callable[[int], object] = lambda _count: None
) -> Iterator[R]:
    """Yield the records of a file; blank lines are passed over.

    ``on_bytes`` hears how many bytes of the file were read since the last call. Raises
    UnreadableError at the first line that is not a record.
    """
    number = 0
    try:
        with path.open("rb") as raw, _unpacked(path, raw) as lines:
            read = 0
            while line := lines.readline(LINE_BYTES_MAX + 1):
                number += 1
                if line.strip() or len(line) > LINE_BYTES_MAX:
                    yield _parse(path, number, line, record_class)
                on_bytes(raw.tell() - read)
                read = raw.tell()
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise UnreadableError(path, number + 1, f"not gzip data ({error})") from None
    except OSError as error:
        raise UnreadableError(path, None, error.strerror or "cannot be read") from None


def _unpacked(path: Path, raw: BinaryIO) -> BinaryIO:
    return cast("BinaryIO", gzip.open(raw)) if path.suffix == ".gz" else raw


def _parse(path: Path, number: int, line: bytes, record_class: type[R]) -> R:
    if len(line) > LINE_BYTES_MAX:
        raise UnreadableError(path, number, f"longer than {LINE_BYTES_MAX} bytes")
    try:
        return record_class.model_validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        problem = f"{place}: {first['msg']}" if place else first["msg"]
        raise UnreadableError(path, number, problem) from None
