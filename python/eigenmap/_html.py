"""What a notebook shows of a fit."""

from __future__ import annotations

from html import escape
from typing import Any

_TABLE = '<table style="border-collapse: collapse; font-size: 90%; margin: 0.4em 0">'
_LEFT = 'style="text-align: left; vertical-align: top; padding: 0.1em 0.8em 0.1em 0"'
# More clusters than that are left to topics_ and summary_.
_MOST = 30


def page_of(title: str, summary: dict[str, Any]) -> str:
    """The facts, the clusters and the warnings of a fit, as HTML without scripts and links."""
    parts = [f"<div><strong><code>{escape(title)}</code></strong>"]
    facts = summary.get("facts") or [[name, str(summary[name])] for name in ("method", "documents", "terms", "cluster_sizes") if summary.get(name)]
    parts.append(_table([[escape(name), escape(text)] for name, *rest in facts for text in [" ".join(rest)]]))
    parts += [f"<p>⚠ {escape(w['text'])}</p>" for w in summary.get("warnings") or ()]
    sizes = summary.get("cluster_sizes") or []
    rows = [_cluster(k, size, summary) for k, size in enumerate(sizes[:_MOST])]
    if rows:
        head = ["cluster", "size", "class", "terms", "coherence"]
        kept = [i for i in range(len(head)) if i < 2 or any(row[i] for row in rows)]
        parts.append(_table([[row[i] for i in kept] for row in rows], [head[i] for i in kept]))
        if len(sizes) > _MOST:
            parts.append(f"<p>and {len(sizes) - _MOST} more clusters</p>")
    return "".join(parts) + "</div>"


def _cluster(k: int, size: int, summary: dict[str, Any]) -> list[str]:
    names, terms = summary.get("cluster_classes") or [], summary.get("cluster_terms") or []
    of = terms[k] if k < len(terms) else {}
    coherence = of.get("coherence")
    return [
        str(k),
        f"{size:,}",
        escape(names[k]) if k < len(names) else "",
        escape(", ".join(of.get("terms") or ())),
        f"{coherence['npmi']:.2f}" if coherence else "",
    ]


def _table(rows: list[list[str]], head: list[str] | None = None) -> str:
    lines = [f"<tr>{''.join(f'<th {_LEFT}>{name}</th>' for name in head)}</tr>"] if head else []
    lines += [f"<tr>{''.join(f'<td {_LEFT}>{cell}</td>' for cell in row)}</tr>" for row in rows]
    return _TABLE + "".join(lines) + "</table>"
