"""Asks the vulnerability scanner through pyTenable and prints what it got. Arguments: URL, access key, secret key."""

import json
import sys

from tenable.errors import ForbiddenError, TioExportsError, UnauthorizedError
from tenable.io import TenableIO

URL, ACCESS_KEY, SECRET_KEY = sys.argv[1:4]
tio = TenableIO(ACCESS_KEY, SECRET_KEY, url=URL, vendor="Example", product="Test", build="1")


def everything():
    assets = list(tio.exports.assets_v2(chunk_size=100))
    flat = list(tio.exports.assets(chunk_size=100))
    vulns = list(tio.exports.vulns(since=0, num_assets=50, state=["OPEN", "REOPENED", "FIXED"]))
    critical = list(tio.exports.vulns(since=0, num_assets=5000, severity=["critical"], state=["OPEN"]))
    running = tio.exports.vulns(since=1, num_assets=50, iterator=None)
    adopted = tio.exports.vulns(since=1, num_assets=50, iterator=None)
    status = tio.exports.status("vulns", running)
    cancelled = tio.exports.cancel("vulns", running)
    return {
        "assets": [asset["id"] for asset in assets],
        "fqdns": sum(1 for asset in assets if asset["network"].get("fqdns")),
        "flat": [asset["id"] for asset in flat],
        "flatFqdns": sum(1 for asset in flat if asset["fqdns"]),
        "vulnerabilities": [vuln["finding_id"] for vuln in vulns],
        "assetsOfVulnerabilities": sorted({vuln["asset"]["uuid"] for vuln in vulns}),
        "critical": [vuln["finding_id"] for vuln in critical],
        "isAdopted": running == adopted,
        "status": status.status,
        "cancelled": cancelled,
        "jobs": sorted({job.status for job in tio.exports.jobs("vulns")}),
    }


def error_of(act):
    try:
        return {"got": len(list(act()))}
    except (ForbiddenError, TioExportsError, UnauthorizedError) as error:
        return {"error": type(error).__name__}


if len(sys.argv) > 4:
    print(json.dumps(error_of(lambda: tio.exports.vulns(since=2, num_assets=50))))
else:
    print(json.dumps(everything()))
