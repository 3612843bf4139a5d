"""`tablectl bundle`: build the offline bundle for a Pi, and the lock it is made from."""

from __future__ import annotations

from pathlib import Path

import click

from lab.bundle import ARCHES, BundleTrouble, build, source, write_lock


@click.group()
def bundle() -> None:
    """Build what is installed on a Pi without internet. Needs the source tree and a package registry."""


@bundle.command(name="build")
@click.option("--arch", type=click.Choice(ARCHES), default="aarch64", show_default=True)
@click.option("--to", type=click.Path(path_type=Path, file_okay=False), default=Path("dist"), show_default=True)
@click.option("--key", default="", help="Sign it with this key of gpg.")
def build_(arch: str, to: Path, key: str) -> None:
    """Wheels by hash, check sums, installer, in one archive."""
    try:
        archive = build(source(), arch, to, lambda text: click.echo(text, err=True), key=key)
    except BundleTrouble as trouble:
        raise click.ClickException(str(trouble)) from trouble
    told = "signed" if key else "NOT signed: name a key with --key"
    click.echo(f"{archive}  {archive.stat().st_size / 1e6:.1f} MB  {told}")


@bundle.command()
@click.option("--arch", "arches", type=click.Choice(ARCHES), multiple=True, help="Default: both.")
@click.option("--to", type=click.Path(path_type=Path, file_okay=False), default=Path("dist"), show_default=True)
@click.option("--key", default="", help="Sign the repository with this key of gpg.")
def deb(arches: tuple[str, ...], to: Path, key: str) -> None:
    """Debian packages, and in repository/ a directory that apt takes them from."""
    from lab.deb import build_deb, repository

    try:
        made = [build_deb(source(), arch, to, lambda text: click.echo(text, err=True)) for arch in arches or ARCHES]
        folder = repository(made, to / "repository", key)
    except BundleTrouble as trouble:
        raise click.ClickException(str(trouble)) from trouble
    for one in made:
        click.echo(f"{one}  {one.stat().st_size / 1e6:.1f} MB")
    click.echo(f"{folder}  {'signed' if key else 'NOT signed: name a key with --key, or apt refuses it'}")


@bundle.command()
def lock() -> None:
    """Write install/requirements.lock anew, after the dependencies in pyproject.toml have changed."""
    try:
        path = write_lock(source(), lambda text: click.echo(text, err=True))
    except BundleTrouble as trouble:
        raise click.ClickException(str(trouble)) from trouble
    click.echo(path)
