#!/usr/bin/env bash
# Lists the open critical findings, page by page: each page contains the cursor of the next.
. "$(dirname "$0")/sign-in.sh"

CURSOR=
while
  PAGE=$(posture "/api/v3/findings?state=Failed&severityMin=9&limit=100$CURSOR") || exit
  grep -o '"id":"[^"]*","assetId":"[^"]*","assetName":"[^"]*","type":"[^"]*"[^{]*"name":"[^"]*"' <<<"$PAGE" || true
  NEXT=$(value nextCursor <<<"$PAGE" || true)
  CURSOR="&cursor=$NEXT"
  [ -n "$NEXT" ]
do :; done
