#!/usr/bin/env python3
"""The corpora of docs/vectors.md: python3 corpora.py DATA OUT

DATA is a folder with 20news-bydate.tar.xz and reuters21578-sgml.tar.xz. Written are six.jsonl (every
other message of six newsgroups), news.jsonl (every fourth of all twenty) and reuters.jsonl (every
other text of one topic, of the ten largest topics).
"""
import collections
import json
import re
import sys
import tarfile

SIX = {"alt.atheism", "comp.graphics", "rec.sport.hockey", "sci.space", "talk.politics.guns", "misc.forsale"}


def files(path):
    with tarfile.open(path) as tar:
        found = {m.name.removeprefix("./"): tar.extractfile(m).read() for m in tar if m.isfile()}
    return [(name, re.sub("\r\n?", "\n", raw.decode("latin1"))) for name, raw in sorted(found.items())]


def newsgroups(data):
    for name, text in files(data + "/20news-bydate.tar.xz"):
        if name.count("/") != 2:
            continue
        head, _, body = text.partition("\n\n")
        subject = re.search(r"^Subject: (.*)$", head, re.M)
        yield {"id": name, "text": (subject.group(1) if subject else "") + "\n" + body, "label": name.split("/")[1]}


def reuters(data):
    for name, text in files(data + "/reuters21578-sgml.tar.xz"):
        if not name.endswith(".sgm"):
            continue
        for number, record in re.findall(r'<REUTERS.*?NEWID="(\d+)">(.*?)</REUTERS>', text, re.S):
            topics = re.findall(r"<D>(.*?)</D>", re.search(r"<TOPICS>(.*?)</TOPICS>", record, re.S)[1])
            title, body = (re.search(rf"<{t}>(.*?)</{t}>", record, re.S) for t in ("TITLE", "BODY"))
            if len(topics) == 1 and body:
                yield {"id": number, "text": (title[1] if title else "") + "\n" + body[1], "label": topics[0]}


def write(path, documents):
    with open(path, "w", encoding="utf-8") as file:
        for document in documents:
            file.write(json.dumps(document) + "\n")


if __name__ == "__main__":
    data, out = sys.argv[1:3]
    news = list(newsgroups(data))
    write(out + "/six.jsonl", [d for i, d in enumerate(news) if d["label"] in SIX and i % 2 == 0])
    write(out + "/news.jsonl", [d for i, d in enumerate(news) if i % 4 == 1])
    texts = list(reuters(data))
    topics = {name for name, _ in collections.Counter(d["label"] for d in texts).most_common(10)}
    write(out + "/reuters.jsonl", [d for d in texts if d["label"] in topics][::2])
