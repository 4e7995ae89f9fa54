#!/usr/bin/env bash
# Uploads a ZIP of signals (one per *.json, 5 MB at most): upload-zip.sh SIGNALS.zip
. "$(dirname "$0")/sign-in.sh"

# One malformed signal rejects the whole ZIP, unless the path ends in ?invalid=skip.
ANSWER=$(posture /api/v3/signals/zip -H 'Accept: application/json' -H "Idempotency-Key: $(key)" -F "file=@$1;type=application/zip")
echo "$ANSWER"
folded "$(value uploadId <<<"$ANSWER")"
