#!/usr/bin/env bash
# Prints the history of a finding, and its state at an instant: audit.sh FINDING_ID [INSTANT]
. "$(dirname "$0")/sign-in.sh"

# Each change contains its cause (upload and entry, or user) and its position in the log.
CURSOR= INSTANT=${2:-}
while
  PAGE=$(posture "/api/v3/findings/$1/history?limit=500$CURSOR") || exit
  grep -o '"at":"[^"]*","change":"[^"]*","from":[^,]*,"to":"[^"]*"' <<<"$PAGE" || true
  INSTANT=${INSTANT:-$(value at <<<"$PAGE")}
  NEXT=$(value nextCursor <<<"$PAGE" || true)
  CURSOR="&cursor=$NEXT"
  [ -n "$NEXT" ]
do :; done
echo "as of $INSTANT: $(posture "/api/v3/findings/$1" --get --data-urlencode "asOf=$INSTANT" | value state)"
NOW=$(posture "/api/v3/findings/$1")
echo "now: $(value state <<<"$NOW")"
grep -o '"accepted":{[^}]*}' <<<"$NOW" || true
