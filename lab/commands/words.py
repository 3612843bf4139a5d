"""`tablectl words`: every text that people read, for translators."""

from __future__ import annotations

import click


@click.command()
@click.option("--alarms", is_flag=True, help="The page on alarms instead, as docs/alarms.md.")
@click.option("--language", help="With what is translated into this language filled in, as its file is kept.")
@click.option(
    "--wrong", is_flag=True, help="With --language: only what is missing or wrong there; exit 1 if anything is."
)
def words(alarms: bool, language: str | None, wrong: bool) -> None:
    """Every text that people read, as a catalogue for translators (POT).

    What keys, answers and alarms declare, what pages write and the sentences that the table makes up, each with where
    it stands and the names of what is filled into it. A language is kept in controller/web/languages.
    """
    from controller.web.catalogue import catalogue as translated
    from controller.web.catalogue import languages
    from lab import catalogue

    if wrong and not language:
        raise click.UsageError("--wrong needs --language.")
    if language and language not in languages():
        raise click.UsageError(f"There is no language {language!r}; there is {', '.join(languages())}.")
    if language and wrong:
        found = catalogue.wrong_in(language)
        for text, why in found.items():
            click.echo(f"{text!r} {why}")
        raise SystemExit(bool(found))
    known = translated(language) if language else None
    click.echo(catalogue.alarms_page() if alarms else catalogue.pot(known), nl=False)
