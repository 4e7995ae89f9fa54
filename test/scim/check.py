"""Runs the conformance checks of scim2-tester against a SCIM interface, and prints a JSON list of those that do not succeed."""

import json
import os
import sys

import httpx2
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import Status, check_server


def main(url):
    http = httpx2.Client(base_url=url, headers={"Authorization": f"Bearer {os.environ['TOKEN']}"}, timeout=60)
    results = check_server(SyncSCIMClient(http))
    rows = [{"status": result.status.name, "title": result.title, "reason": result.reason} for result in results]
    counts = {status.name: sum(row["status"] == status.name for row in rows) for status in Status}
    json.dump({"counts": counts, "others": [row for row in rows if row["status"] != "SUCCESS"]}, sys.stdout)


main(sys.argv[1])
