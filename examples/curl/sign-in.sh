# Sourced by the other scripts: signs in, and defines `posture PATH [OPTION…]`, which sends requests with the token.
set -euo pipefail
: "${POSTURE_USERNAME:?is needed}" "${POSTURE_PASSWORD:?is needed}"
POSTURE_URL=${POSTURE_URL:-http://127.0.0.1:8080}

# Prints the first value of a name in an answer.
value() { grep -o "\"$1\":\"[^\"]*\"" | sed -n '1s/.*:"\(.*\)"$/\1/p'; }

TOKEN=$(curl -sS --fail-with-body -X POST -u "$POSTURE_USERNAME:$POSTURE_PASSWORD" "$POSTURE_URL/api/v3/auth" | value accessToken)

BODY=$(mktemp)
trap 'rm "$BODY"' EXIT

# Prints the answer. An unsuccessful answer goes to standard error and ends the script.
# --retry waits for the time that a busy service states (429, Retry-After), within two minutes in all. It also repeats
# after a 503, so requests must be safe to repeat: uploads have an Idempotency-Key, actions the version that was read.
# curl empties a file before it repeats; to a pipe it writes the bodies of all attempts.
posture() {
  local path=$1
  shift
  : >"$BODY"
  if curl -sS --fail-with-body --retry 5 --retry-max-time 120 --output "$BODY" \
    -H "Authorization: Bearer $TOKEN" "$@" "$POSTURE_URL$path"; then
    cat "$BODY"
  else
    cat "$BODY" >&2
    return 1
  fi
}

key() { od -An -N16 -tx1 /dev/urandom | tr -d ' \n'; }

# Waits until an upload is processed, two minutes at most, and prints its outcome.
folded() {
  local upload end=$((SECONDS + 120))
  while
    upload=$(posture "/api/v3/uploads/$1") || return 1
    ! grep -q '"done":true' <<<"$upload"
  do
    [ "$SECONDS" -lt "$end" ] || { echo "upload $1 is stored, and not processed yet" >&2; return 1; }
    sleep 0.2
  done
  grep -o '"created":[0-9]*,"updated":[0-9]*,"unchanged":[0-9]*' <<<"$upload"
}
