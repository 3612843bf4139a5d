"""`tablectl certificate`: whether a conformance certificate holds, and what it says."""

from __future__ import annotations

from pathlib import Path

import click

from lab.conformance.certificate import NotCertified, verified


@click.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--signer", help="The tester's public key, as the certificate shows it; another one is refused.")
def certificate(file: Path, signer: str | None) -> None:
    """Check the signature of a certificate that `tablectl conform --certificate` wrote, and tell what it says."""
    try:
        claims, public = verified(file.read_text("utf-8"))
    except NotCertified as why:
        raise click.ClickException(f"{file}: {why}") from why
    if signer is not None and signer != public:
        raise click.ClickException(f"{file}: signed with {public}, not with the key you named; find out by whom")
    verdict = "conforms" if claims["conforms"] else "DOES NOT CONFORM"
    click.echo(
        f"{claims['device']} {claims['serial']}, firmware {claims['firmware']}, spec {claims['spec']}: {verdict}"
    )
    click.echo(f"tested {claims['at']} by {claims['tester'] or 'nobody named'}, signed with {public}")
    for what in ("broken", "not tried"):
        numbers = [number for number, each in claims["sentences"].items() if each["verdict"] == what]
        if numbers:
            click.echo(f"{what}: {', '.join(numbers)}")
    for remark in claims["remarks"]:
        click.echo(remark)
