#!/usr/bin/env bash
# Sends one signal: send-signal.sh SIGNAL.json. Its format is schemas/signal.schema.json.
. "$(dirname "$0")/sign-in.sh"

# A 200 means that the signal is stored in the log and survives a crash. A malformed signal gets a 400 that names every
# invalid field.
ANSWER=$(posture /api/v3/signals -H 'Content-Type: application/json' -H "Idempotency-Key: $(key)" --data-binary "@$1")
echo "$ANSWER"
folded "$(value uploadId <<<"$ANSWER")"
