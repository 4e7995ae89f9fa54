"""Prints the history of a finding, and its state at an instant: python3 audit.py FINDING_ID [INSTANT]."""

import sys

from posture import Posture

finding_id = sys.argv[1]
posture = Posture()
steps = list(posture.items(f"/api/v3/findings/{finding_id}/history"))
for step in steps:
    cause, position = step["cause"], step["position"]
    print(
        f"{step['at']}  {step['change']}  {step['from'] or '-'} -> {step['to']}  by {cause['user'] or cause['kind']}"
        f"  {position['topic']}/{position['partition']}@{position['offset']}"
    )

now = posture.get(f"/api/v3/findings/{finding_id}")
instant = sys.argv[2] if len(sys.argv) > 2 else steps[0]["at"]
then = posture.get(f"/api/v3/findings/{finding_id}", asOf=instant)
print(f"as of {instant}: {then['state']}")
accepted = now["accepted"]
print(f"now: {now['state']}" + (f", accepted by {accepted['by']}: {accepted['rationale']}" if accepted else ""))
