#!/usr/bin/env bash
# Prints every change of a finding as it happens, until Ctrl-C or for an hour: follow-changes.sh [AFTER_ID]
# The token is valid for an hour: then the stream ends with the event `end`. Each change ends with its id. To resume
# without missing a change, also days later, pass the last id as AFTER_ID.
. "$(dirname "$0")/sign-in.sh"

curl -sSN --fail-with-body -H "Authorization: Bearer $TOKEN" ${1:+-H "Last-Event-ID: $1"} \
  "$POSTURE_URL/api/v3/changes?topics=findings"
