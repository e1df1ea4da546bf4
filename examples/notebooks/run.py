"""Runs the notebooks of this folder, each in a kernel of its own, and says which cell fails.

    python examples/notebooks/run.py            # nothing is written
    python examples/notebooks/run.py --save     # the outputs are stored in the notebooks

It needs nbclient and ipykernel, and says so where they are missing.
"""

import sys
import time
from pathlib import Path

try:
    import ipykernel  # noqa: F401
    import nbclient
    import nbformat
except ImportError as missing:
    print(f"notebooks: not run: {missing} (pip install nbclient ipykernel)")
    sys.exit(0)

for file in sorted(Path(__file__).parent.glob("*.ipynb")):
    started = time.time()
    notebook = nbformat.read(file, as_version=4)
    nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": str(file.parent)}}).execute()
    if "--save" in sys.argv:
        for cell in notebook.cells:
            cell.metadata.pop("execution", None)  # times
        notebook.metadata.language_info = {"name": "python"}
        nbformat.write(notebook, file)
    print(f"notebooks: {file.name}: {time.time() - started:.0f} s")
