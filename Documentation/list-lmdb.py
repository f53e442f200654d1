#!/usr/bin/env python3
"""Lists the records of a store in an LMDB file, one JSON object a line.

usage: list-lmdb.py STORE.lmdb [TYPE] [--index NAME] [--reverse]
       list-lmdb.py STORE.lmdb [TYPE] --history

Reads only, under LMDB's own locks, so it may run while other programs write. Needs the module `lmdb` (py-lmdb) and
nothing else: LMDB-Format.md describes what is decoded here. With --index the records come in the order of an index, and
each has the values that its index key holds under "key" (null in place of a key that was cut). With --history the change
history is listed instead: each change with its transaction, and with the row before it if that is kept.

Dates are seconds since 1970-01-01 00:00 UTC; bytes and ids are hexadecimal.
"""
import argparse
import json
import os
import struct
import sys
import uuid

import lmdb

FORMAT = 1
TUPLE_MAX = 494


def unpack(data, at=0):
    """One MessagePack value, and the position behind it."""
    tag = data[at]
    at += 1

    def number(form):
        return struct.unpack_from(">" + form, data, at)[0], at + struct.calcsize(form)

    if tag <= 0x7F:
        return tag, at
    if tag >= 0xE0:
        return tag - 256, at
    if tag in (0xC0, 0xC2, 0xC3):
        return {0xC0: None, 0xC2: False, 0xC3: True}[tag], at
    if tag in NUMBERS:
        return number(NUMBERS[tag])
    if 0x90 <= tag <= 0x9F:
        count = tag & 15
    elif tag in (0xDC, 0xDD):
        count, at = number({0xDC: "H", 0xDD: "I"}[tag])
    elif 0xA0 <= tag <= 0xBF or tag in SIZES:
        size = tag & 31
        if tag in SIZES:
            size, at = number(SIZES[tag])
        if at + size > len(data):
            raise ValueError("the value ends too early")
        content = bytes(data[at : at + size])
        return content if tag in (0xC4, 0xC5, 0xC6) else content.decode("utf-8"), at + size
    else:
        raise ValueError("a value of a kind that no field has")
    values = []
    for _ in range(count):
        value, at = unpack(data, at)
        values.append(value)
    return values, at


NUMBERS = {0xCB: "d", 0xCC: "B", 0xCD: "H", 0xCE: "I", 0xCF: "Q", 0xD0: "b", 0xD1: "h", 0xD2: "i", 0xD3: "q"}
SIZES = {0xC4: "B", 0xC5: "H", 0xC6: "I", 0xD9: "B", 0xDA: "H", 0xDB: "I"}


def untuple(data):
    """The values of a tuple in FoundationDB's layout."""
    values, at = [], 0
    while at < len(data):
        code = data[at]
        at += 1
        if code == 0x00:
            values.append(None)
        elif code in (0x01, 0x02):
            end = at
            content = bytearray()
            while True:
                stop = data.index(0, end)
                content += data[end:stop]
                end = stop + 1
                if data[end : end + 1] != b"\xff":
                    break
                content.append(0)
                end += 1
            values.append(bytes(content) if code == 0x01 else content.decode("utf-8"))
            at = end
        elif 0x0C <= code <= 0x1C:
            size = abs(code - 0x14)
            value = int.from_bytes(data[at : at + size], "big")
            values.append(value if code >= 0x14 else value - (1 << (8 * size)) + 1)
            at += size
        elif code == 0x21:
            bits = int.from_bytes(data[at : at + 8], "big")
            bits = bits ^ (1 << 63) if bits >> 63 else bits ^ ((1 << 64) - 1)
            values.append(struct.unpack(">d", bits.to_bytes(8, "big"))[0])
            at += 8
        elif code in (0x26, 0x27):
            values.append(code == 0x27)
        elif code == 0x30:
            values.append(bytes(data[at : at + 16]))
            at += 16
        else:
            raise ValueError("a tuple with a value of unknown kind")
    return values


def key_values(key):
    """The values in an index key, without the id; None if the key is cut."""
    if len(key) == TUPLE_MAX + 17 and key[TUPLE_MAX] == 0x31:
        return None
    return untuple(key[:-17])


class Schema:
    """The lines under `schema:TYPE`."""

    def __init__(self, text):
        self.fields, self.indexes = [], []
        for line in text.splitlines():
            words = line.split(" ")
            if words[0] == "field":
                self.fields.append((words[1], words[2]))
            elif words[0] == "index":
                self.indexes.append("_and_".join(words[1:]))


def readable(value, kind=None):
    if isinstance(value, bytes):
        return str(uuid.UUID(bytes=value)) if kind == "uuid" and len(value) == 16 else value.hex()
    return [readable(element) for element in value] if isinstance(value, list) else value


def record(kind, schema, key, value):
    """A row as a dictionary; the id is that of the key."""
    result = {"type": kind}
    values, _ = unpack(value)
    if not isinstance(values, list):
        raise ValueError("the row is no array")
    for (name, form), content in zip(schema.fields, values):
        result[name] = readable(content, form)
    result["id"] = readable(bytes(key), "uuid")
    return result


KINDS = ("insert", "update", "delete", "unknown")


def transaction_entry(key, value):
    """An entry of the database `transactions`."""
    values, _ = unpack(value)
    names = "first nonce snapshot number bytes bytes_in_all author user operation name undoes time".split()
    result = dict(zip(names, values))
    result["last"] = int.from_bytes(key, "big")
    for name in ("author", "operation", "undoes"):
        result[name] = readable(result[name], "uuid")
    result["nonce"] = result["nonce"].hex()
    return result


def list_history(environment, transaction, kind, schemas, since):
    """Prints the changes, in order."""
    entries = iter(transaction.cursor(environment.open_db(b"transactions", txn=transaction, create=False)))
    entry = None
    for key, value in transaction.cursor(environment.open_db(b"history", txn=transaction, create=False)):
        sequence = int.from_bytes(key, "big")
        while entry is None or entry["last"] < sequence:
            entry = transaction_entry(*next(entries))
        (name, row, code, old), _ = unpack(value)
        if kind and name not in (kind, ""):
            continue
        line = {"sequence": sequence, "kind": KINDS[code], "type": name, "id": readable(row, "uuid"), "old": None}
        if old is not None and name in schemas and sequence > since.get(name, 0):
            line["old"] = record(name, schemas[name], row, old)
        line["transaction"] = entry
        print(json.dumps(line, ensure_ascii=True))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("store")
    parser.add_argument("type", nargs="?")
    parser.add_argument("--index", metavar="NAME")
    parser.add_argument("--reverse", action="store_true")
    parser.add_argument("--history", action="store_true")
    arguments = parser.parse_args()
    if arguments.index and not arguments.type:
        parser.error("--index needs a TYPE")
    if not os.path.isfile(arguments.store) or os.path.getsize(arguments.store) == 0:
        sys.exit(f"{arguments.store}: no store")

    # Not lock=False: without a place in the table of readers, a writer may reuse the pages that are being read.
    environment = lmdb.open(arguments.store, subdir=False, readonly=True, max_dbs=128, create=False)
    with environment.begin(buffers=True) as transaction:
        meta = environment.open_db(b"saver", txn=transaction, create=False)
        if int(bytes(transaction.get(b"format", db=meta))) != FORMAT:
            sys.exit(f"{arguments.store}: another format than {FORMAT}")
        schemas, since = {}, {}
        for key, value in transaction.cursor(meta):
            name, _, kind = bytes(key).decode().partition(":")
            if name == "schema":
                schemas[kind] = Schema(bytes(value).decode())
            elif name == "since":
                since[kind] = int.from_bytes(value, "big")
        if arguments.type and arguments.type not in schemas:
            sys.exit(f"{arguments.store}: no records of type {arguments.type}")
        if arguments.history:
            list_history(environment, transaction, arguments.type, schemas, since)
            return

        for kind in [arguments.type] if arguments.type else sorted(schemas):
            schema = schemas[kind]
            rows = environment.open_db(kind.encode(), txn=transaction, create=False)
            source = rows
            if arguments.index:
                if arguments.index not in schema.indexes:
                    sys.exit(f"{arguments.store}: {kind} has no index {arguments.index}")
                source = environment.open_db(f"{kind}.{arguments.index}".encode(), txn=transaction, create=False)
            cursor = transaction.cursor(source)
            for key, value in cursor.iterprev() if arguments.reverse else cursor:
                key = bytes(key)
                try:
                    if arguments.index:
                        value = transaction.get(key[-16:], db=rows)
                        if value is None:
                            continue
                        line = record(kind, schema, key[-16:], value)
                        values = key_values(key)
                        line["key"] = None if values is None else [readable(value) for value in values]
                    else:
                        line = record(kind, schema, key, value)
                except (ValueError, IndexError, struct.error) as error:
                    print(f"{kind} {key[-16:].hex()}: {error}", file=sys.stderr)
                    continue
                print(json.dumps(line, ensure_ascii=True))
    environment.close()


if __name__ == "__main__":
    main()
