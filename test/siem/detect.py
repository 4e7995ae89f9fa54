"""Reads OCSF events, one a line, and prints the titles of the Sigma rules in a folder that find something in them."""

import json
import pathlib
import sqlite3
import sys

from sigma.backends.sqlite import sqliteBackend
from sigma.collection import SigmaCollection


def flat(value, prefix=""):
    for key, item in value.items():
        if isinstance(item, dict):
            yield from flat(item, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", item


def table_of(events):
    rows = [dict(flat(event)) for event in events]
    columns = sorted({column for row in rows for column in row} | {"session.uid", "status_code"})
    database = sqlite3.connect(":memory:")
    names = ", ".join(f"`{column}`" for column in columns)
    database.execute(f"create table logs (timestamp, {names})")
    holes = ", ".join("?" for _ in columns)
    for row in rows:
        values = [row.get(column) for column in columns]
        database.execute(f"insert into logs values (datetime(?, 'unixepoch'), {holes})", [row["time"] / 1000, *values])
    return database


def found(database, file):
    rules = SigmaCollection.from_yaml(file.read_text())
    [query] = sqliteBackend().convert(rules)
    return database.execute(query).fetchall()


def main(folder):
    database = table_of([json.loads(line) for line in sys.stdin])
    files = sorted(pathlib.Path(folder).glob("*.yml"))
    print(json.dumps({file.stem: len(found(database, file)) for file in files}))


main(sys.argv[1])
