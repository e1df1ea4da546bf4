# Writes the files of this folder with pyreadstat 1.3.7 and pandas 3.1.1: python make.py
import datetime

import numpy as np
import pandas as pd
import pyreadstat

n = 8
table = pd.DataFrame({
    "id": [f"p{i}" for i in range(n)],
    "answer": ["the bus was late", "la maîtresse est à l'école", "", "nurse " * 100 + "end", "a", "b  b", "  c", "train"],
    "region": [1.0, 2, 1, 2, 9, 1, 2, np.nan],
    "age": [20.0, 31, 45, 99, 60, 71, 19, 99],
    "score": [0.0, 10, 3, 4, 5, 6.5, -7, 1e-9],
    "sex": ["m", "f", "f", "m", "x", "f", "m", "m"],
    "day": [datetime.date(1959, 12, 31) + datetime.timedelta(days=5000 * i) for i in range(n)],
    "seen": [datetime.datetime(2024, 1, 31, 13, 5, 7) + datetime.timedelta(hours=i) for i in range(n)],
})
labels = {"region": {1.0: "North", 2.0: "Öst", 9.0: "no answer"}, "age": {99.0: "no answer"}, "score": {0.0: "not at all", 10.0: "fully"}}
about = {"answer": "What happened?", "region": "Region of residence"}
missing = {"region": [9], "age": [{"lo": 98, "hi": 99}], "sex": ["x"]}
spss = {"column_labels": about, "variable_value_labels": labels | {"sex": {"m": "male", "f": "female", "x": "other"}}, "missing_ranges": missing}
pyreadstat.write_sav(table, "plain.sav", **spss)
pyreadstat.write_sav(table, "codes.sav", row_compress=True, **spss)
pyreadstat.write_sav(table, "zlib.zsav", compress=True, **spss)

short = table.assign(answer=[a.strip()[:40] for a in table.answer], region=table.region.fillna(9))
whole = {k: {int(v): text for v, text in set.items()} for k, set in labels.items() if k != "score"}
for version, release in [(8, 113), (10, 114), (12, 115), (13, 117), (14, 118), (15, 119)]:
    of = (short if version < 13 else table.assign(region=short.region)).copy()
    of["region"], of["age"] = of.region.astype(int), of.age.astype(int)
    pyreadstat.write_dta(of, f"stata{release}.dta", column_labels=about, variable_value_labels=whole, version=version)
kinds = pd.DataFrame({"of_byte": np.arange(n, dtype="int8"), "of_int": np.arange(n, dtype="int16") * -300, "of_long": np.arange(n, dtype="int32") * 70000,
                      "of_float": np.float32(0.1) * np.arange(n, dtype="float32"), "of_double": [None] + [0.1 * i for i in range(1, n)],
                      "text": ["", "ünder", "x" * 300, "ünder", "d", "e", "f", "g"], "kind": pd.Categorical(["b", "a", None, "a", "b", "b", "a", "a"]),
                      "month": [datetime.datetime(1950 + 11 * i, 1 + i, 1) for i in range(n)]})
for release in [117, 118, 119]:
    for order in ["big", "little"]:
        kinds.to_stata(f"kinds{release}{order}.dta", version=release, byteorder=order, write_index=False, convert_strl=["text"], convert_dates={"month": "tm"})

for version in [5, 8]:
    of = short.assign(a_long_name=short.age) if version == 8 else short
    pyreadstat.write_xport(of, f"sas{version}.xpt", column_labels=about, file_format_version=version, table_name="SURVEY")

for name, items in [("wave1.sav", [0, 3, 5, 10, 7, 8]), ("wave2.sav", [0, 10, 10, 0, 0, 10])]:
    wave = pd.DataFrame({"id": [f"{name[4]}{i}" for i in range(6)], "item": np.array(items, float), "z": np.arange(6.0) ** 2})
    pyreadstat.write_sav(wave, name, variable_value_labels={"item": labels["score"]})
