"""Asks the inventory platform through axonius-api-client and prints what it got. Arguments: URL, key, secret."""

import json
import sys
import warnings

warnings.filterwarnings("ignore")

import axonius_api_client  # noqa: E402

URL, KEY, SECRET = sys.argv[1:4]
FIELDS = ["specific_data.data.name", "specific_data.data.fqdn", "specific_data.data.tags", "labels"]


def everything():
    client = axonius_api_client.Connect(url=URL, key=KEY, secret=SECRET, certwarn=False)
    client.start()
    devices = client.devices
    rows = devices.get(fields_manual=FIELDS, fields_default=False, page_size=400)
    query = '("specific_data.data.name" == regex("^INV-","i")) and ("labels" == "PCI")'
    return {
        "about": client.meta.about().get("Installed Version"),
        "count": devices.count(),
        "devices": [row["internal_axon_id"] for row in rows],
        "withTags": sum(1 for row in rows if row.get("specific_data.data.tags")),
        "matching": [row["internal_axon_id"] for row in devices.get(query=query)],
        "matchingCount": devices.count(query=query),
        "labels": sorted(devices.labels.get()),
        "byId": devices.get_by_id(rows[0]["internal_axon_id"])["internal_axon_id"],
    }


try:
    print(json.dumps(everything()))
except axonius_api_client.exceptions.AxonError as error:
    print(json.dumps({"error": type(error).__name__, "message": str(error)}))
