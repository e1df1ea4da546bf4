"""UMAP's map of coordinates: python maps.py COORDINATES.npy MAP.npy SEED

Writes the places, documents x 2, and prints {"CPU": seconds} of the fit. All settings but the seed
are umap-learn's defaults.
"""

import json
import sys
import time
import warnings

import numpy as np
import umap

warnings.filterwarnings("ignore")
x = np.load(sys.argv[1])
umap.UMAP(random_state=0).fit(x[:200])  # compiles the library's loops, which is not counted
start = time.process_time()
y = umap.UMAP(random_state=int(sys.argv[3])).fit_transform(x)
print(json.dumps({"CPU": time.process_time() - start}))
np.save(sys.argv[2], y.astype(np.float64))
