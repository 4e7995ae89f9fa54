#!/usr/bin/env bash
# Sends one signal: send-signal.sh SIGNAL.json. Its shape is schemas/signal.schema.json.
. "$(dirname "$0")/sign-in.sh"

# A 200 says that the log holds it, whatever crashes. A malformed signal is a 400 that names every place that is wrong.
ANSWER=$(posture /api/v3/signals -H 'Content-Type: application/json' -H "Idempotency-Key: $(key)" --data-binary "@$1")
echo "$ANSWER"
folded "$(value uploadId <<<"$ANSWER")"
