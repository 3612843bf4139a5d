"""What came of the suite, for a person, a program, a build server and a browser."""

from __future__ import annotations

import html
import re
from xml.sax.saxutils import escape, quoteattr

import msgspec

from lab.conformance.suite import Report, StepResult

_SIGNS = {"passed": "ok", "failed": "FAILED", "not tried": "not tried"}


def line(step: StepResult) -> str:
    """One step as it is told while the suite runs."""
    text = f": {step.text}" if step.text else ""
    return f"{_SIGNS[step.verdict]:9} {step.step}  {step.title}{text}"


def as_text(report: Report) -> str:
    """Everything for a person; failures with the frames before them."""
    lines = [_head(report), ""]
    for step in report.steps:
        lines.append(line(step))
        if step.verdict == "failed":
            lines.append(f"          README: {asked_by(step)}")
            lines += [f"          {frame}" for frame in step.frames[-24:]]
    lines += ["", *report.remarks, summary(report)]
    return "\n".join(lines) + "\n"


def asked_by(step: StepResult) -> str:
    """The section and the sentences of the link's page that a step tries."""
    return f"{step.section} {', '.join(step.sentences)}".strip()


def summary(report: Report) -> str:
    counts = ", ".join(f"{report.count(verdict)} {verdict}" for verdict in ("passed", "failed", "not tried"))
    return f"{'conforms' if report.ok else 'DOES NOT CONFORM'}: {counts}"


def _head(report: Report) -> str:
    who = f"{report.serial}, firmware {report.firmware}" if report.serial else "nothing that answered"
    return f"{report.device} at {report.port}: {who}; spec {report.spec}"


def as_json(report: Report) -> str:
    plain = {"ok": report.ok, "summary": summary(report), **msgspec.to_builtins(report)}
    return msgspec.json.format(msgspec.json.encode(plain), indent=2).decode() + "\n"


def as_junit(report: Report) -> str:
    """JUnit's XML, as build servers read it."""
    seconds = sum(step.seconds for step in report.steps)
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        f'<testsuite name={_attribute(f"conform {report.device}")} tests="{len(report.steps)}" '
        f'failures="{report.count("failed")}" errors="0" skipped="{report.count("not tried")}" time="{seconds:.3f}">',
        "  <properties>",
        f'    <property name="device" value={_attribute(_head(report))}/>',
        "  </properties>",
    ]
    for step in report.steps:
        part, _, name = step.step.partition(".")
        opening = (
            f"  <testcase classname={_attribute(f'conform.{report.device}.{part}')} "
            f'name={_attribute(name)} time="{step.seconds:.3f}"'
        )
        if step.verdict == "passed":
            lines.append(f"{opening}/>")
            continue
        lines.append(f"{opening}>")
        if step.verdict == "failed":
            frames = "\n".join(step.frames)
            asked = _attribute(f"{asked_by(step)}: {step.text}")
            lines.append(f"    <failure message={asked}>{_plain(frames)}</failure>")
        else:
            lines.append(f"    <skipped message={_attribute(step.text)}/>")
        lines.append("  </testcase>")
    return "\n".join([*lines, "</testsuite>"]) + "\n"


def _plain(text: str) -> str:
    """XML knows no control characters, and a device may say anything."""
    return escape(re.sub(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd]", "?", text))


def _attribute(text: str) -> str:
    return quoteattr(re.sub(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd]", "?", text))


_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; color: #1b1b1b; }
table { border-collapse: collapse; width: 100%; }
td, th { text-align: left; padding: .35rem .6rem; vertical-align: top; }
tr { border-top: 1px solid #ddd; }
.passed td:first-child { color: #1a6b2d; }
.failed td:first-child { color: #a3121f; font-weight: 600; }
.not-tried td:first-child { color: #7a5b00; }
pre { background: #f4f4f4; padding: .6rem; overflow-x: auto; font-size: 12px; }
"""


def as_html(report: Report) -> str:
    """One page that needs nothing beside itself."""
    rows = []
    for step in report.steps:
        frames = f"<pre>{html.escape(chr(10).join(step.frames))}</pre>" if step.frames else ""
        text = f"<div>{html.escape(step.text)}</div>" if step.text else ""
        rows.append(
            f'<tr class="{step.verdict.replace(" ", "-")}"><td>{html.escape(step.verdict)}</td>'
            f"<td><code>{html.escape(step.step)}</code><br>{html.escape(', '.join(step.sentences))}</td>"
            f"<td>{html.escape(step.title)}{text}{frames}</td><td>{step.seconds:.2f} s</td></tr>"
        )
    title = f"{html.escape(report.device)}: {html.escape(summary(report))}"
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{_STYLE}</style></head>\n"
        f"<body><h1>{title}</h1><p>{html.escape(_head(report))}</p>\n<table>\n"
        "<tr><th>verdict</th><th>step</th><th>what it shows</th><th>took</th></tr>\n"
        + "\n".join(rows)
        + "\n</table></body></html>\n"
    )
