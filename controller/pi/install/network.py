"""`python -m controller.pi.install.network`: which network the service may use, by the table's configuration alone."""

from __future__ import annotations

import ipaddress
import re
from pathlib import Path

import click

from controller.config.file import check_config
from controller.config.tomlread import ConfigError
from controller.config.types import TableConfig

_TCP = re.compile(r"tcp:(?://)?\[?([^\s/\]]+?)\]?:\d+")


def allowed(config: TableConfig) -> list[str]:
    """What goes into IPAddressAllow: this machine, the hosts of devices, and anybody when the pages are for others."""
    if not config.loopback():
        return ["any"]
    hosts = ["localhost"]
    for device in config.devices.values():
        found = _TCP.fullmatch(device.port)
        if found is None:
            continue
        try:
            hosts.append(str(ipaddress.ip_address(found[1])))
        except ValueError:
            if found[1] != "localhost":
                return ["any"]  # a name is looked up somewhere, and may change
    return list(dict.fromkeys(hosts))


def drop_in(config: TableConfig | None) -> str:
    """The service's network.conf; the configuration may not be usable yet."""
    hosts = allowed(config) if config is not None else ["localhost"]
    return (
        "# Written from table.toml. After a change there, run:  sudo tablectl restart\n"
        f"[Service]\nIPAddressAllow={' '.join(hosts)}\n"
    )


@click.command()
@click.option("--config", required=True, type=click.Path(path_type=Path))
@click.option("--root", type=click.Path(path_type=Path), help="Where that system lies; the configuration says it all.")
def main(config: Path, root: Path | None) -> None:
    try:
        checked: TableConfig | None = check_config(config)
    except ConfigError:
        checked = None
    click.echo(drop_in(checked), nl=False)


if __name__ == "__main__":
    main()
