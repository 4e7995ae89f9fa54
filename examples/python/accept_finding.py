"""Accepts the risk of a finding: python3 accept_finding.py FINDING_ID RATIONALE. Who accepted it, the credentials say."""

import sys

from posture import ApiError, Posture

finding_id, rationale = sys.argv[1:]
posture = Posture()
version = posture.get(f"/api/v3/findings/{finding_id}")["version"]
try:
    # The version that was read: should the finding have changed meanwhile, the service refuses with a 409.
    accepted = posture.post(f"/api/v3/findings/{finding_id}/accept", {"rationale": rationale, "version": version})
except ApiError as error:
    sys.exit(str(error))
# Where the fold is away the act is in the log, and the answer has its position instead.
print(accepted.get("state") or accepted["message"])
