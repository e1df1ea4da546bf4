"""The snippets of docs/python.md, in their order."""

import json
from pathlib import Path

import numpy as np
import pytest


def test_the_snippets_run(tmp_path, monkeypatch, capsys):
    places = [Path(__file__).with_name("python.md"), Path(__file__).parents[2] / "docs" / "python.md"]
    page = next((p for p in places if p.exists()), None)
    if page is None:
        pytest.skip("docs/python.md is not here")
    snippets = [part.split("```")[0] for part in page.read_text().split("```python\n")[1:]]
    assert len(snippets) >= 3
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    words = [["ship", "sea", "harbour", "sail"], ["kernel", "compiler", "code", "pointer"]]
    texts = [" ".join(rng.choice(words[i % 2], 3)) for i in range(40)]
    Path("news.jsonl").write_text("".join(json.dumps({"id": str(i), "text": t}) + "\n" for i, t in enumerate(texts)))
    np.save("embeddings.npy", np.eye(2)[np.arange(40) % 2] + rng.normal(0, 0.05, (40, 2)))
    x = np.vstack([rng.normal(c, 0.3, (30, 3)) for c in (0, 4, 8)])
    y = np.full(90, -1)
    y[[0, 30, 60]] = 0, 1, 2
    names = {"X": x, "X_new": x[:5], "y": y}
    for snippet in snippets:
        exec(compile(snippet, str(page), "exec"), names)
    assert "ship" in capsys.readouterr().out
