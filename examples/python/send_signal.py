"""Sends one signal: python3 send_signal.py SIGNAL.json. Its format is schemas/signal.schema.json."""

import json
import sys

from posture import ApiError, Posture

with open(sys.argv[1], encoding="utf-8") as file:
    signal = json.load(file)
posture = Posture()
try:
    upload_id = posture.send_signal(signal)["uploadId"]
except ApiError as error:
    # For a malformed signal, the error lists every invalid field.
    print(error, *(f"  {each['field']}: {each['message']}" for each in error.problems), sep="\n", file=sys.stderr)
    sys.exit(1)
# Now the signal is stored in the log and survives a crash. Folding it into assets and findings takes milliseconds.
outcome = posture.wait_until_folded(upload_id)["outcome"]
print(f"{upload_id}: {outcome['created']} created, {outcome['updated']} updated, {outcome['unchanged']} unchanged")
