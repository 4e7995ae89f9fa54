#!/usr/bin/env bash
# Tells of every change of a finding as it happens, until Ctrl-C: follow-changes.sh [AFTER_ID]
# The id behind each change is for AFTER_ID: whoever keeps the last one misses none, also days later.
. "$(dirname "$0")/sign-in.sh"

curl -sSN --fail-with-body -H "Authorization: Bearer $TOKEN" ${1:+-H "Last-Event-ID: $1"} \
  "$POSTURE_URL/api/v3/changes?topics=findings"
