#!/usr/bin/env bash
# Accepts the risk of a finding: accept-finding.sh FINDING_ID RATIONALE. The approver is the user of the credentials.
. "$(dirname "$0")/sign-in.sh"

# The version that was read: if the finding has changed since then, the service rejects the request with a 409.
VERSION=$(posture "/api/v3/findings/$1" | grep -o '"version":[0-9]*' | cut -d : -f 2)
RATIONALE=$(sed 's/[\\"]/\\&/g' <<<"$2")
ANSWER=$(posture "/api/v3/findings/$1/accept" -H 'Content-Type: application/json' \
  --data "{\"rationale\":\"$RATIONALE\",\"version\":$VERSION}")
# A 202 means that the act is stored and not processed yet: its message says so.
value state <<<"$ANSWER" || value message <<<"$ANSWER"
