"""Write a file atomically: the previous content stays until the new one is complete."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from cardtable.base.errors import OptionError, SaveError
from cardtable.base.message import Message


def not_saved(path: str | os.PathLike[str], error: OSError) -> SaveError:
    """The refusal for a file that could not be written."""
    return SaveError(
        Message("saving {target}", target=os.fspath(path)),
        error.strerror or str(error),
        Message("free some space, or name another file"),
    )


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Open a new file in the folder of `path`; at the end of the block it replaces `path`, once it is on the disk.

    If the block fails, the old file is unchanged. Raises SaveError instead of OSError.
    """
    target = Path(path)
    name = ""
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        os.close(handle)
        yield Path(name)
        with open(name, "rb+") as file:
            os.fsync(file.fileno())
        os.replace(name, target)
        name = ""
    except OSError as error:
        raise not_saved(target, error) from None
    finally:
        if name:
            Path(name).unlink(missing_ok=True)


def need_arrow(what: str, instead: str = "") -> None:
    """Raise OptionError if Arrow is not installed. instead: how else to do what."""
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        can = f"install it in Cardtable's folder: pip install '.[frames]'{instead}"
        raise OptionError(what, "pyarrow is not installed", can, code="study/frames") from None
