"""Writes N generated documents as JSON lines: python3 bench/documents.py N > documents.jsonl

A document has 12 to 40 words, two thirds of them from a vocabulary of 30,000 by Zipf's law and a third from the
400 words of its topic, one of 20 of unequal sizes, which is its label. The seed is 7.
"""

import bisect
import itertools
import random
import sys

VOCABULARY, TOPICS, OWN = 30000, 20, 400
CONSONANTS, VOWELS = "bcdfghklmnprstvz", "aeiou"


def word(i):
    """The i-th word: syllables that spell the number."""
    i += 300
    letters = []
    while i:
        letters.append(CONSONANTS[i % 16])
        i //= 16
        letters.append(VOWELS[i % 5])
        i //= 5
    return "".join(letters)


def main():
    draw = random.Random(7)
    common = list(itertools.accumulate(1 / (i + 10) for i in range(VOCABULARY)))
    special = list(itertools.accumulate(1 / (i + 3) for i in range(OWN)))
    words = [word(i) for i in range(VOCABULARY)]
    for d in range(int(sys.argv[1])):
        topic = int(TOPICS * draw.random() ** 1.5)
        text = []
        for _ in range(draw.randint(12, 40)):
            if draw.random() < 0.35:
                text.append(words[2000 + topic * OWN + bisect.bisect(special, draw.random() * special[-1])])
            else:
                text.append(words[bisect.bisect(common, draw.random() * common[-1])])
        sys.stdout.write('{"id":"d%d","label":"t%d","text":"%s"}\n' % (d, topic, " ".join(text)))


if __name__ == "__main__":
    main()
