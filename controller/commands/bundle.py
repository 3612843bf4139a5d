"""`tablectl bundle`: build the offline bundle for a Pi, and the lock it is made from."""

from __future__ import annotations

from pathlib import Path

import click

from controller.pi.install.bundle import ARCHES, BundleTrouble, build, source, write_lock


@click.group()
def bundle() -> None:
    """Build what is installed on a Pi without internet. Needs the source tree and a package registry."""


@bundle.command(name="build")
@click.option("--arch", type=click.Choice(ARCHES), default="aarch64", show_default=True)
@click.option("--to", type=click.Path(path_type=Path, file_okay=False), default=Path("dist"), show_default=True)
def build_(arch: str, to: Path) -> None:
    """Wheels by hash, check sums, installer, in one archive."""
    try:
        archive = build(source(), arch, to, lambda text: click.echo(text, err=True))
    except BundleTrouble as trouble:
        raise click.ClickException(str(trouble)) from trouble
    click.echo(f"{archive}  {archive.stat().st_size / 1e6:.1f} MB")


@bundle.command()
def lock() -> None:
    """Write install/requirements.lock anew, after the dependencies in pyproject.toml have changed."""
    try:
        path = write_lock(source(), lambda text: click.echo(text, err=True))
    except BundleTrouble as trouble:
        raise click.ClickException(str(trouble)) from trouble
    click.echo(path)
