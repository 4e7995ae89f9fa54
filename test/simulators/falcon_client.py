"""Asks the EDR platform through falconpy and prints what it got as one JSON object. Arguments: URL, id, secret."""

import json
import sys

from falconpy import Alerts, Detects, Hosts, OAuth2

URL, CLIENT_ID, SECRET = sys.argv[1:4]
AUTH = OAuth2(base_url=URL, client_id=CLIENT_ID, client_secret=SECRET)


def scroll(hosts):
    """Ids, and what the answers behind the last one said."""
    ids, totals, offset = [], [], None
    while True:
        body = hosts.query_devices_by_filter_scroll(limit=700, offset=offset)["body"]
        page, paging = body["resources"], body["meta"]["pagination"]
        ids += page
        totals.append(paging["total"])
        offset = paging["offset"]
        if not page:
            return {"ids": ids, "totals": totals, "lastOffset": offset}


def combined_hosts(hosts):
    ids, offset = [], None
    while True:
        body = hosts.query_devices_by_filter_combined(limit=500, offset=offset, fields="device_id,hostname")["body"]
        ids += [host["device_id"] for host in body["resources"]]
        offset = body["meta"]["pagination"].get("next")
        if not offset:
            return ids


def by_offset(query, size):
    ids = []
    while True:
        body = query(limit=size, offset=len(ids))["body"]
        ids += body["resources"]
        if len(ids) >= body["meta"]["pagination"]["total"]:
            return ids


def details(get, ids, size):
    return [record for at in range(0, len(ids), size) for record in get(ids=ids[at : at + size])["body"]["resources"]]


def alert_entities(alerts, ids):
    pages = [alerts.get_alerts_v2(composite_ids=ids[at : at + 1000]) for at in range(0, len(ids), 1000)]
    return [alert for page in pages for alert in page["body"]["resources"]]


def combined_alerts(alerts):
    ids, after = [], None
    while True:
        body = alerts.get_alerts_combined(limit=500, sort="updated_timestamp|asc", **({"after": after} if after else {}))[
            "body"
        ]
        ids += [alert["composite_id"] for alert in body["resources"]]
        after = body["meta"]["pagination"].get("after")
        if not after:
            return ids


def outcome(answer):
    return {"status": answer["status_code"], "messages": [error["message"] for error in answer["body"]["errors"]]}


def revoked():
    """What a token is worth that was given back."""
    token = AUTH.token_value
    status = AUTH.revoke(token)["status_code"]
    return {"status": status, "afterwards": outcome(Hosts(access_token=token, base_url=URL).query_devices_by_filter())}


def everything():
    hosts, alerts, detects = Hosts(auth_object=AUTH), Alerts(auth_object=AUTH), Detects(auth_object=AUTH)
    host_ids = by_offset(hosts.query_devices_by_filter, 1000)
    alert_ids = by_offset(alerts.query_alerts_v2, 1000)
    detect_ids = by_offset(detects.query_detects, 1000)
    return {
        "baseUrl": AUTH.base_url,
        "scrolled": scroll(hosts),
        "hosts": host_ids,
        "hostDetails": [host["device_id"] for host in details(hosts.get_device_details, host_ids, 5000)],
        "combinedHosts": combined_hosts(hosts),
        "alerts": alert_ids,
        "alertDetails": [alert["composite_id"] for alert in alert_entities(alerts, alert_ids)],
        "combinedAlerts": combined_alerts(alerts),
        "detects": [detect["detection_id"] for detect in details(detects.get_detect_summaries, detect_ids, 1000)],
        "critical": hosts.query_devices_by_filter(filter="tags:'FalconGroupingTags/Critical'", limit=5000)["body"][
            "resources"
        ],
        "badFilter": outcome(hosts.query_devices_by_filter(filter="tags=='x'")),
        "tooDeep": outcome(hosts.query_devices_by_filter(limit=5000, offset=9000)),
        "tooManyIds": outcome(alerts.get_alerts_v2(composite_ids=["x"] * 1001)),
        "revoked": revoked(),
    }


def permissions():
    token = AUTH.token()
    if token["status_code"] != 201:
        return {"token": outcome(token)}
    hosts, alerts = Hosts(auth_object=AUTH), Alerts(auth_object=AUTH)
    return {
        "token": {"status": 201, "messages": []},
        "hosts": outcome(hosts.query_devices_by_filter(limit=1)),
        "alerts": outcome(alerts.query_alerts_v2(limit=1)),
    }


print(json.dumps(permissions() if sys.argv[4:] == ["permissions"] else everything()))
