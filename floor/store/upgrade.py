"""Brings a store from any earlier schema to this program's, step by step; loads Alembic."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection


def steps(folder: Path) -> Config:
    """How Alembic is told where the steps lie."""
    config = Config()
    config.set_main_option("script_location", str(folder))
    return config


def upgrade(connection: Connection, folder: Path) -> None:
    """Take every step that this store lacks."""
    config = steps(folder)
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
