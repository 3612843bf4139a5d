"""`tablectl words`: every text that a key, an answer or an alarm declares."""

from __future__ import annotations

import click


@click.command()
@click.option("--alarms", is_flag=True, help="The page on alarms instead, as docs/alarms.md.")
def words(alarms: bool) -> None:
    """Every text that a key, an answer or an alarm declares, as a catalogue for translators (POT).

    Each text comes with the declarations it stands in and with the names of what is filled into it.
    """
    from lab import catalogue

    click.echo(catalogue.alarms_page() if alarms else catalogue.pot(), nl=False)
