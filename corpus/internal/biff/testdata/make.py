# Writes the files of this folder with xlwt 1.3.0: python make.py
import datetime
import struct

import xlwt
from xlwt.CompoundDoc import XlsDoc

book = xlwt.Workbook()
day, time = xlwt.easyxf(num_format_str="DD.MM.YYYY"), xlwt.easyxf(num_format_str="YYYY-MM-DD hh:mm:ss")


def fill(sheet, first, rows):
    for j, name in enumerate(["id", "text", "score", "day", "seen", "ok", "class"]):
        sheet.write(0, j, name)
    for i in range(rows):
        k = first + i
        text = ["nurse", "école à l'est", "больница"][k % 3]
        values = [k, f"{text} {k} " + text * (700 if k == 4 else 1), [1, 2.5, -3, 1e-9, 123456789.25][k % 5]]
        for j, value in enumerate(values):
            sheet.write(1 + i, j, value)
        sheet.write(1 + i, 3, datetime.date(2024, 1, 1) + datetime.timedelta(days=i), day)
        sheet.write(1 + i, 4, datetime.datetime(2024, 1, 1, 13, 5, 7) + datetime.timedelta(hours=i), time)
        sheet.write(1 + i, 5, i % 2 == 1)
        sheet.write(1 + i, 6, "ab"[k % 2])


fill(book.add_sheet("Erste"), 1, 9)
hidden = book.add_sheet("hidden")
fill(hidden, 1000, 3)
hidden.visibility = 1
fill(book.add_sheet("Zweite"), 50, 3)
notes = book.add_sheet("Notes")
notes.write_rich_text(0, 0, (("plain ", xlwt.easyfont("")), ("bold", xlwt.easyfont("bold true"))))
book.save("sheets.xls")


# Records of BIFF5, which xlwt does not write, by hand.
def record(kind, data):
    return struct.pack("<HH", kind, len(data)) + data


def bof(kind):
    return record(0x809, struct.pack("<HHHH", 0x500, kind, 0, 0))


def cells():
    yield 0x204, struct.pack("<HHHH", 0, 0, 0, 4) + b"name"
    yield 0x204, struct.pack("<HHHH", 0, 1, 0, 1) + b"x"
    yield 0x204, struct.pack("<HHHH", 0, 2, 0, 3) + b"day"
    yield 0x204, struct.pack("<HHHH", 0, 3, 0, 3) + b"sum"
    for i, name in enumerate(["\u0438\u043c\u044f", "b", "c"]):
        text = name.encode("cp1251")
        yield 0xD6, struct.pack("<HHHH", 1 + i, 0, 0, len(text)) + text + b"\x00"
        yield 0xBD, struct.pack("<HHHIHIH", 1 + i, 1, 0, (150 + i) << 2 | 3, 1, (45000 + i) << 2 | 2, 2)
        if i == 0:
            yield 0x06, struct.pack("<HHHdHIH", 1, 3, 0, 2.25, 0, 0, 0)
        elif i == 1:
            yield 0x06, struct.pack("<HHH", 2, 3, 0) + b"\x00\x00\x00\x00\x00\x00\xff\xff" + struct.pack("<HIH", 0, 0, 0)
            yield 0x207, struct.pack("<H", 4) + b"text"
        else:
            yield 0x205, struct.pack("<HHHBB", 3, 3, 0, 7, 1)


head = bof(5) + record(0x42, struct.pack("<H", 1251)) + record(0x41E, struct.pack("<HB", 164, 10) + b"yyyy-mm-dd")
head += record(0xE0, struct.pack("<HH", 0, 0) + bytes(12)) + record(0xE0, struct.pack("<HH", 0, 164) + bytes(12))
at = len(head) + 4 + 12 + 4
head += record(0x85, struct.pack("<IBBB", at, 0, 0, 5) + b"Sheet") + record(0x0A, b"")
XlsDoc().save("biff5.xls", head + bof(0x10) + b"".join(record(k, d) for k, d in cells()) + record(0x0A, b""))
