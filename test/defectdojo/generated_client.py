"""Imports a report with the client that is generated from DefectDojo's OpenAPI document; prints its typed answers."""
import json
import sys

from defectdojo_api_generated import ApiClient, Configuration
from defectdojo_api_generated.api.import_scan_api import ImportScanApi
from defectdojo_api_generated.api.reimport_scan_api import ReimportScanApi

url, token, report = sys.argv[1:4]
configuration = Configuration(host=url, api_key={"tokenAuth": token}, api_key_prefix={"tokenAuth": "Token"})
with ApiClient(configuration) as client, open(report, "rb") as file:
    content = ("report.json", file.read())
    names = {"product_name": "generated", "engagement_name": "nightly", "auto_create_context": True}
    imported = ImportScanApi(client).create(scan_type="Anchore Grype", file=content, minimum_severity="Info", **names)
    again = ReimportScanApi(client).create(scan_type="Anchore Grype", file=content, test=imported.test)
    ids = ("test", "test_id", "engagement_id", "product_id", "product_type_id")
    print(json.dumps([{name: getattr(answer, name) for name in ids} for answer in (imported, again)]))
