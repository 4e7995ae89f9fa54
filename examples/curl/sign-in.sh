# Read by the others: signs in, and makes `posture PATH [OPTION…]`, which asks with the token.
set -euo pipefail
: "${POSTURE_USERNAME:?is needed}" "${POSTURE_PASSWORD:?is needed}"
POSTURE_URL=${POSTURE_URL:-http://127.0.0.1:8080}

# What stands behind a name in an answer, the first time.
value() { grep -o "\"$1\":\"[^\"]*\"" | sed -n '1s/.*:"\(.*\)"$/\1/p'; }

TOKEN=$(curl -sS --fail-with-body -X POST -u "$POSTURE_USERNAME:$POSTURE_PASSWORD" "$POSTURE_URL/api/v3/auth" | value accessToken)

# Prints the answer; one that is no success goes to standard error, and ends the program.
# --retry waits as long as a busy service asks (429, Retry-After). It also repeats after a 503, so what it sends must
# bear that: uploads carry an Idempotency-Key, acts the version that was read.
posture() {
  local path=$1 answer
  shift
  if answer=$(curl -sS --fail-with-body --retry 5 -H "Authorization: Bearer $TOKEN" "$@" "$POSTURE_URL$path"); then
    echo "$answer"
  else
    echo "$answer" >&2
    return 1
  fi
}

key() { od -An -N16 -tx1 /dev/urandom | tr -d ' \n'; }

# Waits until assets and findings show an upload, and prints what became of it.
folded() {
  local upload
  until upload=$(posture "/api/v3/uploads/$1") && grep -q '"done":true' <<<"$upload"; do sleep 0.2; done
  grep -o '"created":[0-9]*,"updated":[0-9]*,"unchanged":[0-9]*' <<<"$upload"
}
