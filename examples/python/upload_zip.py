"""Uploads a ZIP of signals (one per *.json, 5 MB at most): python3 upload_zip.py SIGNALS.zip."""

import sys

from posture import Posture

posture = Posture()
with open(sys.argv[1], "rb") as file:
    upload = posture.upload_zip(file.read())
print(f"{upload['uploadId']}: {upload['accepted']} signals accepted")

outcome = posture.wait_until_folded(upload["uploadId"], seconds=120)["outcome"]
print(f"{outcome['created']} findings created, {outcome['updated']} updated, {outcome['unchanged']} unchanged")
