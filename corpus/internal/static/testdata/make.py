"""Makes the models of this folder, and what the library tokenizers makes of texts by them.

    pip install tokenizers==0.23.3 model2vec==0.10.0 sentencepiece==0.2.3 protobuf
    python3 make.py
"""

import base64
import json
import os

import numpy as np
import sentencepiece
from model2vec import StaticModel
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

TEXTS = [
    "The quick brown fox doesn't jump over the lazy dogs, but over the 1,234 lazy cats.",
    "Naïve café: the déjà-vu of Ångström's Übermensch, in ﬁve ﬂavours.",
    "北京 is the capital of 中国, and 東京タワー stands in Tokyo.",
    "İstanbul'da ÇOK güzel; Straße und Größe, ΣΊΣΥΦΟΣ",
    "tabs\tand\nlines\r\nand\u00a0no-break\u200bzero\u00adsoft \x07bell",
    "e\u0301 combining, ① circled, ½ half, ℌ fraktur, ² two, x_y under_score, a-b--c",
    "supercalifragilisticexpialidocious " + "a" * 120,
    "emoji 👍🏽 and 👨‍👩‍👧 and ♥ the end [UNK] [SEP]the",
    "",
    "   ",
    "한국어 텍스트와 हिन्दी पाठ, ไทย",
    "don’t “quote” — dash… €100 $5 C++ C# .NET foo@bar.org http://x.y/z?q=1",
    "zzzqqq ☃☃☃ ☃a the☃",
]


def trained(tokenizer, trainer):
    tokenizer.train_from_iterator(TEXTS * 3, trainer)
    return tokenizer


def wordpiece(lower):
    t = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    t.normalizer = normalizers.BertNormalizer(lowercase=lower)
    t.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return trained(t, trainers.WordPieceTrainer(vocab_size=230, special_tokens=["[PAD]", "[UNK]", "[SEP]"], limit_alphabet=70, show_progress=False))


def unigram(normalizer, splitter):
    t = Tokenizer(models.Unigram())
    t.normalizer, t.pre_tokenizer = normalizer, splitter
    # A part of the texts only, so that some characters are not known.
    t.train_from_iterator(TEXTS[:3] * 3, trainers.UnigramTrainer(vocab_size=120, unk_token="<unk>", special_tokens=["<unk>"], show_progress=False))
    return t


def charsmap():
    """A small table of SentencePiece's own form."""
    with open("rules.tsv", "w") as f:
        for a, b in [("ﬁ", "fi"), ("ﬂ", "fl"), ("½", "1/2"), ("\u00a0", " "), ("e\u0301", "é"), ("ℌ", "H"), ("\u200b", ""), ("\u00ad", ""), ("\t", " "), ("\n", " "), ("①", "1"), ("…", "...")]:
            f.write(" ".join("%X" % ord(c) for c in a) + "\t" + " ".join("%X" % ord(c) for c in b) + "\n")
    with open("texts.txt", "w") as f:
        f.write("\n".join(t.replace("\n", " ") for t in TEXTS * 20))
    sentencepiece.SentencePieceTrainer.train(input="texts.txt", model_prefix="spm", vocab_size=150, hard_vocab_limit=False, normalization_rule_tsv="rules.tsv", minloglevel=2)
    # The field precompiled_charsmap of NormalizerSpec (3) in ModelProto.
    from sentencepiece import sentencepiece_model_pb2 as pb
    m = pb.ModelProto()
    m.ParseFromString(open("spm.model", "rb").read())
    for name in ["rules.tsv", "texts.txt", "spm.model", "spm.vocab"]:
        os.remove(name)
    return m.normalizer_spec.precompiled_charsmap


def precompiled():
    n = normalizers.Sequence([normalizers.Precompiled(charsmap()), normalizers.Replace("  ", " ")])
    return unigram(n, pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()]))


def wordlevel():
    t = Tokenizer(models.WordLevel(unk_token="[UNK]"))
    t.normalizer = normalizers.Sequence([normalizers.NFKD(), normalizers.StripAccents(), normalizers.Lowercase(), normalizers.Strip()])
    t.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Whitespace(), pre_tokenizers.Digits(individual_digits=True)])
    return trained(t, trainers.WordLevelTrainer(vocab_size=60, special_tokens=["[UNK]"], show_progress=False))


kinds = {
    "uncased": wordpiece(True),
    "cased": wordpiece(False),
    "unigram": unigram(normalizers.Sequence([normalizers.NFKC(), normalizers.Lowercase()]), pre_tokenizers.Metaspace()),
    "charsmap": precompiled(),
    "wordlevel": wordlevel(),
}
rng = np.random.default_rng(1)
expected = {"texts": TEXTS, "ids": {}, "vectors": {}}
for name, t in kinds.items():
    expected["ids"][name] = [e.ids for e in t.encode_batch(TEXTS, add_special_tokens=False)]
    size = t.get_vocab_size()
    table = rng.normal(size=(size, 6))
    more = {}
    if name == "uncased":
        table = table.astype(np.float16)
    elif name == "cased":
        table, more = np.clip(table * 40, -127, 127).astype(np.int8), {"weights": rng.random(size).astype(np.float32)}
    elif name == "unigram":
        table = table.astype(np.float32)
    elif name == "charsmap":
        table, more = table[:40].astype(np.float64), {"weights": rng.random(size), "token_mapping": rng.integers(0, 40, size)}
    m = StaticModel(table, t, {"normalize": name == "unigram"}, normalize=name == "unigram", **more)
    m.save_pretrained(name)
    for extra in ["README.md", "modules.json"]:
        if os.path.exists(f"{name}/{extra}"):
            os.remove(f"{name}/{extra}")
    m = StaticModel.from_pretrained(name)
    expected["vectors"][name] = np.asarray(m.encode(TEXTS, max_length=None), dtype=float).tolist()
with open("expected.json", "w") as f:
    json.dump(expected, f, ensure_ascii=True)
