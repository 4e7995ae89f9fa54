#!/bin/sh
# Prints the security events since the previous run: each once, or again after a failure (metadata.uid tells).
#
#   ship-security-events.sh PLACE [ocsf|syslog|jsonl]
#
# PLACE is a file in which the script keeps the time up to which it has printed. If it does not exist, the script creates
# it and prints nothing. Run it every minute (docs/security.md). It requires curl 7.76 or later, POSTURE_URL, and
# POSTURE_TOKEN_FILE with an API token of the scope security-events:read.
set -eu
place=${1:?usage: ship-security-events.sh PLACE [ocsf|syslog|jsonl]}
format=${2:-ocsf}
: "${POSTURE_URL:?is not set}" "${POSTURE_TOKEN_FILE:?is not set}"

# Equal events of a minute are one, whose count is final when the minute has ended and is stored.
to=$(date -u -d "@$(($(date +%s) - 120))" +%Y-%m-%dT%H:%M:00Z)
keep() {
  printf '%s\n' "$to" > "$place.new"
  mv "$place.new" "$place"
}
[ -e "$place" ] || { keep; exit 0; }
from=$(cat "$place")

events=$(mktemp)
trap 'rm -f "$events"' EXIT
printf 'Authorization: Bearer %s\n' "$(cat "$POSTURE_TOKEN_FILE")" |
  curl --fail-with-body --silent --show-error --max-time 120 --retry 3 --header @- --output "$events" --get \
    --data-urlencode "format=$format" --data-urlencode "from=$from" --data-urlencode "to=$to" \
    "$POSTURE_URL/api/v3/security-events/export" || { cat "$events" >&2; exit 1; }
cat "$events"
keep
