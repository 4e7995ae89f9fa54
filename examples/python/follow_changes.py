"""Prints every change of a finding as it happens, until Ctrl-C: python3 follow_changes.py [AFTER_ID].

To resume without missing a change, also days later, pass the id of the last processed change.
"""

import sys

from posture import Posture

try:
    for change_id, _, finding in Posture().changes("findings", *sys.argv[1:]):
        name = finding["change"]["name"]
        print(f"{name}  {finding['state']}  {finding['assetName']}  {finding['name']}  {change_id}", flush=True)
except KeyboardInterrupt:
    pass
