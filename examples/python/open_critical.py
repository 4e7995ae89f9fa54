"""Lists the open critical findings: python3 open_critical.py. It requests the pages of the list as needed."""

from posture import Posture

for finding in Posture().items("/api/v3/findings", state="Failed", severityMin=9, limit=100):
    print(f"{finding['id']}  {finding['severity']['value']:.1f}  {finding['assetName']}  {finding['name']}")
