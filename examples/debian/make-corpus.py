#!/usr/bin/env python3
"""Make packages.jsonl.gz from the package lists of a Debian 12 machine.

    apt-get update -o Acquire::Languages=en
    ./make-corpus.py                            # reads the lists that apt holds
    ./make-corpus.py Packages Translation-en    # or these files, already unpacked

Writes one JSON object a line, {"id": package, "text": description, "label": section},
ordered by name, to packages.jsonl.gz beside this script, and prints the counts.
The same lists give the same bytes. README.md tells the selection rule in words.
"""
import collections
import gzip
import hashlib
import json
import os
import re
import subprocess
import sys

SECTIONS = ("fonts games gnu-r graphics haskell java mail math net perl science sound").split()
PER_SECTION = 600  # at most
MIN_WORDS = 20     # of the long description, boilerplate taken out
BOILERPLATE = 3    # a paragraph that this many source packages share says nothing of any of them

AUXILIARY = re.compile(r"-(dbg|dbgsym|doc|docs|data|common|prof|l10n|i18n|tools|utils|bin)(-|$)")
EMPTY = re.compile(r"\b(transitional|dummy|meta-?package|virtual package|debug symbols)\b", re.I)


def stanzas(lines):
    """The paragraphs of a Debian control file as dictionaries."""
    fields, key = {}, None
    for line in lines:
        if not line.strip("\n"):
            if fields:
                yield fields
            fields, key = {}, None
        elif line[0] in " \t":
            fields[key] += line
        else:
            key, _, value = line.partition(":")
            fields[key] = value.lstrip(" ")
    if fields:
        yield fields


def apt_lists():
    """The lines of Debian 12's Packages and Translation-en as apt keeps them."""
    for created_by in ("Packages", "Translations"):
        files = subprocess.run(
            ["apt-get", "-o", "Acquire::Languages=en", "indextargets", "--format", "$(FILENAME)", "Created-By: " + created_by,
             "Codename: bookworm", "Component: main"],
            check=True, capture_output=True, text=True).stdout.split()
        files = [f for f in files if created_by == "Packages" or "Translation-en" in f]
        if len(files) != 1:
            sys.exit(f"apt has {len(files)} {created_by} lists of bookworm main, one is needed: "
                     "run apt-get update -o Acquire::Languages=en, or name the files")
        text = subprocess.run(["/usr/lib/apt/apt-helper", "cat-file", files[0]],
                              check=True, capture_output=True).stdout.decode("utf-8")
        yield text.splitlines(keepends=True)


def split(description):
    """The short description and the paragraphs of the long one, each on one line."""
    short, _, rest = description.partition("\n")
    paragraphs = re.split(r"\n \.[ \t]*\n", "\n" + rest.rstrip("\n"))
    return short.strip(), [p for p in (" ".join(p.split()) for p in paragraphs) if p]


def one_a_source(packages, descriptions):
    """The package that speaks for each source: its namesake, else no auxiliary part, else the longest text."""
    sources = collections.defaultdict(list)
    for p in packages:
        name, section = p["Package"].strip(), p.get("Section", "").strip()
        text = descriptions.get(p.get("Description-md5", "").strip())
        if text and section in SECTIONS and not EMPTY.search(text.partition("\n")[0]):
            source = p.get("Source", name).split()[0]
            sources[source].append((name != source, bool(AUXILIARY.search(name)), -len(text), name, section, text))
    return sorted(min(parts)[3:] for parts in sources.values())


def main():
    if len(sys.argv) == 3:
        lists = [open(f, encoding="utf-8") for f in sys.argv[1:]]
    else:
        lists = list(apt_lists())
    packages = stanzas(lists[0])
    descriptions = {s["Description-md5"].strip(): s["Description-en"] for s in stanzas(lists[1])}

    documents = [(name, section, *split(text)) for name, section, text in one_a_source(packages, descriptions)]
    shared = collections.Counter(p for d in documents for p in set(d[3]))

    by_section, seen = collections.defaultdict(list), set()
    for name, section, short, paragraphs in documents:
        long = [p for p in paragraphs if shared[p] < BOILERPLATE]
        opening = re.sub(r"[^a-z]+", " ", long[0].lower()) if long else ""
        if sum(len(p.split()) for p in long) < MIN_WORDS or opening in seen:
            continue
        seen.add(opening)
        order = hashlib.sha256(name.encode()).digest()
        by_section[section].append((order, name, "\n".join([short + "."] + long)))

    rows = []
    for section in SECTIONS:
        kept = sorted(by_section[section])[:PER_SECTION]
        print(f"{section:10} {len(kept):5} of {len(by_section[section])}")
        rows += [{"id": name, "text": text, "label": section} for _, name, text in kept]
    rows.sort(key=lambda r: r["id"])
    data = "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows).encode("utf-8")

    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "packages.jsonl.gz")
    with open(path, "wb") as f, gzip.GzipFile("", "wb", 9, f, mtime=0) as z:
        z.write(data)
    print(f"{len(rows)} documents, {len(data)} bytes of text, {os.path.getsize(path)} bytes in {os.path.basename(path)}")


if __name__ == "__main__":
    main()
