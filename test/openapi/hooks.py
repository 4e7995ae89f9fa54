"""Rules that OpenAPI 3.0 has no words for; each is described in words where it applies.

A request that is valid by the document is changed to follow them before it is sent. Invalid ones are sent as they are.
"""

import base64
from datetime import datetime, timedelta, timezone

import schemathesis
from schemathesis.generation.modes import GenerationMode

GROUPS = ["department", "location", "type", "attackSurface", "assetId"]
FUTURE = "9999-01-31T12:00:00Z"
ONBOARDING = ["autoOnboardNewAssets", "updateExistingAssetsMetadata"]
CONFIGS = {
    "edrplugin": {"subType": "falcon", "secrets": ["clientId", "clientSecret"], "options": ["tagFilters", *ONBOARDING]},
    "assetinventory": {"subType": "axonius", "secrets": ["apiKey", "apiSecret"], "options": ["attackSurfaceTypes"]},
    "vulnerabilityscanner": {"subType": "tenable", "secrets": ["accessKey", "secretKey"], "options": ONBOARDING},
}
CONFIG_FIELDS = {field for kind in CONFIGS.values() for field in (*kind["secrets"], *kind["options"])}


@schemathesis.hook
def before_call(context, case, kwargs):
    if not is_valid(case):
        return
    if isinstance(case.query, dict):
        follow_query_rules(case.operation.path, case.query)
    if isinstance(case.body, dict):
        follow_body_rules(case.operation.label, case.body)


def is_valid(case):
    """A case may be valid as a whole and invalid in one of its parts."""
    if case.meta is None or case.meta.generation.mode != GenerationMode.POSITIVE:
        return False
    return all(part.mode == GenerationMode.POSITIVE for part in case.meta.components.values())


def follow_query_rules(path, query):
    # Only a cursor that this list returned is one.
    query.pop("cursor", None)
    # An export of the past is not sorted; one group at a time.
    if "asOf" in query and path.endswith("/export"):
        query.pop("sort", None)
    # Only present decisions and the last report of an asset are stored.
    if "asOf" in query:
        query.pop("notSeenDays", None)
        query.pop("ssvc", None)
        query.pop("ransomware", None)
        query.pop("kev", None)
        query.pop("epssMin", None)
    if path.startswith(("/api/v3/scores/", "/api/v3/loss")):
        for group in [name for name in GROUPS if name in query][1:]:
            query.pop(group)
    # `from` lies before `to` and before the present.
    if "from" in query:
        query["from"] = "2026-01-31T12:00:00Z"
    query.pop("to", None)
    # Only an upload that this service processed is one.
    query.pop("upload", None)
    # Not more points than a history may have.
    if "step" in query:
        query["step"] = "day"
    # At least one letter or digit.
    if "q" in query:
        query["q"] = "web01"


def follow_body_rules(label, body):
    rule = BODY_RULES.get(label)
    if rule:
        rule(body)


def accept(body):
    if "until" in body:
        body["until"] = FUTURE


def erasure(body):
    """A subject that is known or not."""
    if isinstance(body.get("subject"), dict) and "name" in body["subject"]:
        body["subject"]["name"] = "ana@acme.com"


def credential(body):
    """A role that there is."""
    body["role"] = "viewer"


def api_token(body):
    """An end within ten years; addresses and networks."""
    if body.get("expiresAt") is not None:
        body["expiresAt"] = (datetime.now(timezone.utc) + timedelta(days=365)).isoformat()
    if "networks" in body:
        body["networks"] = ["127.0.0.0/8"]


def saved_api_token(body):
    """As a new one, with at least one field besides `version`."""
    api_token(body)
    if not body.keys() - {"version"}:
        body["expiresAt"] = None


def identity_provider(body):
    """An address of https; names that are printed; roles and lists of departments that there can be."""
    if "id" in body:
        body["id"] = "partner"
    if "issuer" in body:
        body["issuer"] = "https://id.example.com"
    if "label" in body:
        body["label"] = "Partner account"
    if "grants" in body:
        body["grants"] = {"risk-team": ["viewer"]}
    if "scope" in body:
        body["scope"] = "openid"
    for name in ("departments", "locations"):
        body.pop(name, None)


def saved_identity_provider(body):
    """As a new one, with at least one field."""
    identity_provider(body)
    body["checkSeconds"] = 60


def tickets(body):
    """Each address once."""
    if body.get("attach"):
        body["attach"] = body["attach"][:1]


def in_bulk(body):
    """At least one condition, and first a dry run, which says how many to expect."""
    body["filter"] = {"name": "a"}
    body["dryRun"] = True
    body.pop("expected", None)


def accept_in_bulk(body):
    in_bulk(body)
    accept(body)


def bulk_act(body):
    """One act on findings that are named, in any version."""
    for name in ("filter", "versions", "expected", "accept", "revert", "assign", "due", "tickets", "comments"):
        body.pop(name, None)
    body["ids"] = body.get("ids") or ["00000000-0000-4000-8000-000000000000"]
    body["tags"] = {"add": ["a"]}


def option(body):
    """A name or whether it is the default; a name is not blank."""
    body["name"] = (body.get("name") or "").strip() or "Sales"


def custom_field(body):
    """Only Select has options; something changes."""
    body.pop("options", None)
    body.pop("type", None)
    body["multiValued"] = True


def new_custom_field(body):
    body.pop("options", None)
    body["type"] = "Any"
    body["name"] = (body.get("name") or "").strip() or "assetinventory-id"


def settings(body):
    """At least one setting; addresses, networks or host names; options that there are; rates and ranges in order; days."""
    body["egressAllow"] = ["10.0.0.0/8"]
    for name in ("defaultDepartment", "defaultLocation"):
        body.pop(name, None)
    if "baseRate" in body:
        body["baseRate"] = {"low": 0.01, "best": 0.1, "high": 0.3}
    sla = body.get("sla")
    if sla is not None and not any(sla.get(part) for part in ("severity", "ssvc", "kev")):
        sla["kev"] = 14
    if body.get("loss"):
        body["loss"] = [{"currency": "EUR", "criticality": "medium", "min": 1_000, "max": 50_000}]


def integration(body):
    """The fields of config are those of the type."""
    kind = CONFIGS[body["type"]]
    body["subType"] = kind["subType"]
    body["name"] = body.get("name", "").strip() or "EDR Berlin"
    config(body["config"], kind)


def saved_integration(body):
    """Something to change, of what every type has."""
    body["name"] = "EDR Berlin"
    body.pop("config", None)


def saved_config(body):
    body.pop("config", None)


def config(fields, kind):
    for name in CONFIG_FIELDS - {*kind["options"]}:
        fields.pop(name, None)
    for name in kind["secrets"]:
        fields[name] = "a" * 32
    fields["url"] = "https://platform.example"


def saved_webhook(body):
    """Something changes; the secret that signs is replaced by another route."""
    body["enabled"] = True
    webhook(body)
    body.pop("secret", None)


def webhook(body):
    """
    Addresses as they are sent are short enough; secrets are of whole bytes; a place is one that exists. Fields of tickets
    depend on the kind.
    """
    body["url"] = "https://receiver.example/posture"
    for name in ("kind", "options"):
        body.pop(name, None)
    if isinstance(body.get("filter"), dict):
        body["filter"].pop("ssvc", None)
    secret(body)
    body.pop("from", None)


def secret(body):
    if "secret" in body:
        body["secret"] = "whsec_" + base64.b64encode(bytes(32)).decode()


def replay(body):
    body["from"] = "2026-01-31T12:00:00Z"


def report_schedule(body):
    """A time that comes, a name that is not blank, and a receiver; only technical reports have a query."""
    body["cron"] = "0 8 * * 1"
    body["timeZone"] = "Europe/Berlin"
    body["name"] = "Weekly"
    body["webhook"] = {"url": "https://receiver.example/reports"}
    body["email"] = None
    if "report" in body:
        body["report"] = "technical"
    body["query"] = "severityMin=7"


def calendar(body):
    body["cron"] = "0 8 * * 1"
    body["timeZone"] = "Europe/Berlin"


def notification_preferences(body):
    """Without a channel, which an admin has to configure first; times that differ."""
    for name in ("channel", "address", "quiet"):
        body.pop(name, None)
    body["timeZone"] = "Europe/Berlin"


def notification_settings(body):
    """Hosts, and a mail server without a user."""
    body["slackHosts"] = ["hooks.slack.com"]
    body["email"] = None


def view(body):
    """A query of the list; of a change, something."""
    body["query"] = "q=web01"


def plan(body):
    """Findings by a query, at least one of which exists; of a change, something."""
    body["query"] = "severityMin=0"
    body["name"] = (body.get("name") or "").strip() or "Log4j"
    if body.get("due") is not None:
        body["due"] = "2026-06-30"
    for name in ("add", "remove", "state"):
        body.pop(name, None)


def what_if(body):
    """At least one list names something."""
    if not any(body.get(name) for name in ("fixed", "accepted", "fixedCves")):
        body["fixedCves"] = ["CVE-2021-44228"]


def os_mapping(body):
    """Names are not blank."""
    for mapping in [*body.get("mappings", []), body["default"]]:
        for name in ("osPattern", "assetType", "attackSurface"):
            if name in mapping:
                mapping[name] = mapping[name].strip() or "a"


def signal(body):
    """One finding or several, not both; the status is given, once, and so is a severity."""
    if body.get("entityOnly") is not True or body.get("securityContext") or body.get("securityContexts"):
        body.pop("securityContexts", None)
        body["securityContext"] = {
            "type": "va",
            "status": {"complianceStatus": "fail"},
            "severity": {"value": 7.5},
        }


BODY_RULES = {
    "POST /api/v3/erasures": erasure,
    "POST /api/v3/credentials": credential,
    "POST /api/v3/identity-providers": identity_provider,
    "PATCH /api/v3/identity-providers/{id}": saved_identity_provider,
    "POST /api/v3/tokens": api_token,
    "POST /api/v3/tokens/{id}/rotate": api_token,
    "PATCH /api/v3/tokens/{id}": saved_api_token,
    "POST /api/v3/findings/{id}/accept": accept,
    "POST /api/v3/findings/{id}/tickets": tickets,
    "POST /api/v3/findings/accept": accept_in_bulk,
    "POST /api/v3/findings/revert": in_bulk,
    "POST /api/v3/findings/acts": bulk_act,
    "PATCH /api/v3/company/departments/{id}": option,
    "PATCH /api/v3/locations/{id}": option,
    "POST /api/v3/custom-fields": new_custom_field,
    "PATCH /api/v3/custom-fields/{id}": custom_field,
    "PATCH /api/v3/settings": settings,
    "POST /integration": integration,
    "POST /integrations/test": integration,
    "PATCH /integrations/{id}": saved_integration,
    "POST /integrations/{id}/test": saved_config,
    "POST /api/v3/webhooks": webhook,
    "PATCH /api/v3/webhooks/{id}": saved_webhook,
    "POST /api/v3/webhooks/{id}/rotate": secret,
    "POST /api/v3/webhooks/{id}/replay": replay,
    "POST /api/v3/report-schedules": report_schedule,
    "PATCH /api/v3/report-schedules/{id}": report_schedule,
    "POST /api/v3/report-schedules/preview": calendar,
    "PATCH /api/v3/notifications/preferences": notification_preferences,
    "PATCH /api/v3/notification-settings": notification_settings,
    "POST /api/v3/views": view,
    "PATCH /api/v3/views/{id}": view,
    "POST /api/v3/plans": plan,
    "PATCH /api/v3/plans/{id}": plan,
    "POST /api/v3/scores/what-if": what_if,
    "POST /settings/os-to-safe-asset-type-mapping": os_mapping,
    "POST /api/v3/signals": signal,
}
