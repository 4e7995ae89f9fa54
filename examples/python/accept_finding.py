"""Accepts the risk of a finding: python3 accept_finding.py FINDING_ID RATIONALE.

The approver is the user of the credentials.
"""

import sys

from posture import ApiError, Posture

finding_id, rationale = sys.argv[1:]
posture = Posture()
version = posture.get(f"/api/v3/findings/{finding_id}")["version"]
try:
    # The version that was read: if the finding has changed since then, the service rejects the request with a 409.
    accepted = posture.post(f"/api/v3/findings/{finding_id}/accept", {"rationale": rationale, "version": version})
except ApiError as error:
    sys.exit(str(error))
# If no projector runs, the action is stored in the log, and the answer contains its position instead.
print(accepted.get("state") or accepted["message"])
