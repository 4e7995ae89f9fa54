#!/bin/sh
# Prints the security events since the previous run: each once, or again after a failure or with a greater count
# (metadata.uid is the same).
#
#   ship-security-events.sh PLACE [ocsf|syslog|jsonl]
#
# PLACE is a file in which the script keeps the time up to which it has printed; PLACE.printed names the latest printed
# events. If PLACE does not exist, the script creates it and prints nothing. Run it every minute (docs/security.md). It
# requires curl 7.76 or later, POSTURE_URL, and POSTURE_TOKEN_FILE with an API token of the scope security-events:read.
set -eu
place=${1:?usage: ship-security-events.sh PLACE [ocsf|syslog|jsonl]}
format=${2:-ocsf}
: "${POSTURE_URL:?is not set}" "${POSTURE_TOKEN_FILE:?is not set}"

minute() { date -u -d "@$1" +%Y-%m-%dT%H:%M:00Z; }

# Equal events of a minute are one, whose count is final when the minute has ended and is stored.
to=$(minute $(($(date +%s) - 120)))
last=$to previous=$to
if [ -e "$place" ]; then
  last=$(sed -n 1p "$place")
  previous=$(sed -n 2p "$place")
fi
# While the database is unavailable, gateways keep events, and store them later with their own times: also just after the
# first run that succeeds. Each run reads at least 15 minutes again, and all that the run before has read.
seconds=$(date -d "$last" +%s)
from=$(printf '%s\n' "$(minute $((seconds - 900)))" ${previous:+"$previous"} | sort | sed -n 1p)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: > "$work/events"
printf 'Authorization: Bearer %s\n' "$(cat "$POSTURE_TOKEN_FILE")" |
  curl --fail-with-body --silent --show-error --max-time 120 --retry 3 --retry-max-time 120 --header @- \
    --output "$work/events" --get \
    --data-urlencode "format=$format" --data-urlencode "from=$from" --data-urlencode "to=$to" \
    "$POSTURE_URL/api/v3/security-events/export" || { cat "$work/events" >&2; exit 1; }

# An event is named by id and count: quotes within texts are escaped, so that no text looks like these fields.
: > "$work/printed"
[ -e "$place.printed" ] || : > "$place.printed"
LC_ALL=C awk -v printed="$work/printed" '
  FILENAME == ARGV[1] { earlier[$0]; next }
  {
    event = $0
    if (match($0, /("metadata":[{]"version":"[^"]*","uid":"|^[{]"id":")[^"]*/)) {
      event = substr($0, RSTART, RLENGTH)
      sub(/.*"/, "", event)
      match($0, /"count":[0-9]+/)
      event = event " " substr($0, RSTART, RLENGTH)
    }
    print event > printed
    if (!(event in earlier)) print
  }' "$place.printed" "$work/events" > "$work/new"

[ ! -e "$place" ] || cat "$work/new"
cp "$work/printed" "$place.printed.new"
mv "$place.printed.new" "$place.printed"
printf '%s\n%s\n' "$to" "$last" > "$place.new"
mv "$place.new" "$place"
