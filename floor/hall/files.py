"""Files of the hall that people write."""

from __future__ import annotations

from pathlib import Path

from controller.config.tomlread import ConfigError
from controller.tournament.checks import terms_of
from controller.tournament.terms import Terms


def read_terms(path: Path) -> Terms:
    """The terms of a file; BadTerms tells all that is wrong with them at once, ConfigError what cannot be read."""
    return terms_of(read_text(path), path.name)


def read_text(path: Path) -> str:
    """The text of a terms file; ConfigError says why it cannot be had."""
    if path.exists() and not path.is_file():
        raise ConfigError(f"{path}: not a file; give the file that holds the event's terms")
    try:
        return path.read_text(encoding="utf-8")
    except OSError as trouble:
        raise ConfigError(f"{path}: cannot be read ({trouble.strerror}); check the path and its rights") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: not UTF-8 text; save the file as UTF-8") from None
