"""posture-2, computed from the text and the tables of docs/scoring.md alone.

Usage: posture2.py PAGE < cases.json > results.json
"""

import json
import math
import re
import sys
from ipaddress import ip_address, ip_network

from cvss import CVSS2, CVSS3, CVSS4
from cvss.exceptions import CVSSError

PAGE = open(sys.argv[1], encoding="utf-8").read().split("\n## Model posture-2\n")[1]


def table(header):
    body = re.search(rf"^\| {re.escape(header)} .*\n\|[-|]+\|\n((?:\|.*\n)+)", PAGE, re.M)[1]
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in body.strip().split("\n")]


def number_after(pattern):
    return re.search(pattern, PAGE)[1]


OBSTACLES = [float(p) for _, p in table("obstacles")]
SEVERITIES = [(float(start), float(p)) for start, p in table("severity from")]
RATES = {row[0]: (int(row[2]), int(row[3])) for row in table("value")}
TAU = RATES["best"][0]
REACH = {row[0]: dict(zip(("exposed", "edge", "inside"), map(int, row[1:]))) for row in table("weakness")}
C_FAILS, C_PASSES, C_NONE = (int(row[1]) for row in table("controls that concern the weakness"))
STATES = {row[0]: [float(p) for p in row[1:]] for row in table("detection")}
TACTICS = {name: float(w) for names, w in table("tactic") for name in names.split(", ")}
AGES = [int(f) for _, f in table("weeks")]
WEIGHTS = {level: int(w) for level, w in table("level")}
P_MAX = float(number_after(r"with p at most ([\d.]+)\. For each"))
P_KEV, P_RANSOMWARE = re.search(r"([\d.]+) if KEV lists the CVE; ([\d.]+) if KEV also", PAGE).groups()
E_MANAGED = int(number_after(r"e is (\d+) if the EDR platform"))
DAY = 86_400_000


def half_up(value):
    return math.floor(value + 0.5)


def hazard(p):
    return half_up(-math.log1p(-p) * 10**10)


def root(square):
    """isqrt, rounded to nearest."""
    floor = math.isqrt(square)
    return floor + 1 if square - floor * floor > floor else floor


def vector_of(severity):
    """Metrics of a vector with modified ones in place, and the version; None if it is not readable."""
    text = severity["vector"]
    if text is None:
        return None
    for parse, version in ((CVSS4, 4), (CVSS3, 3), (CVSS2, 2)):
        try:
            parsed = parse(text)
        except CVSSError:
            continue
        given = dict(part.split(":") for part in text.split("/") if not part.startswith("CVSS:"))
        del parsed
        given = {name: value for name, value in given.items() if value not in ("X", "ND")}
        base = {name: given.get("M" + name, value) for name, value in given.items()}
        return {**base, "version": version}
    return None


def needs_interaction(v):
    return v is not None and v.get("UI", "N") != "N"


def obstacles(v):
    privileges = v["Au"] if v["version"] == 2 else v["PR"]
    barriers = (v["AC"] != "L", privileges != "N", needs_interaction(v), v.get("AT", "N") != "N")
    return min(3, sum(barriers))


def p_of_severity(value):
    return [p for start, p in SEVERITIES if value >= start][-1]


def is_public(text):
    try:
        address = ip_address(text)
    except ValueError:
        return False
    private = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7"]
    if any(address.version == net.version and address in net for net in map(ip_network, private)):
        return False
    special = address.is_loopback or address.is_link_local or address.is_multicast or address.is_unspecified
    return not special and text != "255.255.255.255"


def reach_class(asset):
    surface = asset["attackSurface"].strip().lower()
    if any(map(is_public, asset["ipAddresses"])):
        return "exposed"
    if surface in ("external", "internet", "perimeter", "dmz", "web application"):
        return "exposed"
    return "edge" if surface in ("network", "cloud") else "inside"


def reach_row(v, asset):
    if v is None:
        return "unknown"
    if v["AV"] == "P":
        return "physical"
    if needs_interaction(v):
        client = asset["attackSurface"].strip().lower() in ("endpoints", "mobile", "people")
        return "interaction, client" if client else "interaction, other"
    return {"A": "adjacent", "L": "local", "N": "network"}[v["AV"]]


def impact(severity, v, asset):
    if v is None:
        return max(20, half_up(10 * severity["value"]))
    required = [asset[f"{name}Requirement"] for name in ("confidentiality", "integrity", "availability")]
    kept = 1.0
    for letter, level in zip("CIA", required):
        if v["version"] == 4:
            values = [v["V" + letter], v["S" + letter]]
        else:
            values = [v[letter]]
        weights = {"H": 0.56, "S": 0.56, "C": 0.56, "L": 0.22, "P": 0.233, "N": 0}
        value = max(weights[one] for one in values)
        own = {"critical": "H", "high": "H", "medium": "M", "low": "L", "info": "L"}.get(level)
        q = {"H": 1.5, "M": 1, "L": 0.5}[own or v.get(letter + "R", "M")]
        kept *= 1 - min(1, value * q)
    return max(20, half_up(100 * min(1 - kept, 0.915) / 0.915))


class Case:
    def __init__(self, case):
        self.asset, self.findings, self.known, self.at = (
            case[name] for name in ("asset", "findings", "catalogue", "at")
        )

    def is_active(self, f):
        return f["state"] != "Retired" and f["activeUntil"] > self.at

    def cves(self, given):
        return sorted({c for c in given["cves"] if self.known["states"].get(c) != "REJECTED"})

    def techniques(self, given):
        return sorted({t for t in given["techniques"] if t in self.known["techniques"]})

    def failing_techniques(self, f):
        return sorted({t for failure in f["failures"] for t in self.techniques(failure)})

    def covers(self, techniques):
        mitigations = {m for t in techniques for m in self.known["mitigations"].get(t, [])}
        return {t.split(".")[0] for t in techniques} | mitigations

    def susceptibility(self, f, techniques):
        wanted = self.covers(techniques)
        c = C_NONE
        for other in self.findings:
            if other["type"] not in ("ca", "uba") or other["id"] == f["id"]:
                continue
            if other["state"] == "Failed" and self.is_active(other):
                if wanted & self.covers(self.failing_techniques(other)):
                    c = C_FAILS
            elif other["lastVerdict"] == "passed" and c != C_FAILS:
                if wanted & self.covers(self.techniques(other)):
                    c = C_PASSES
        return c * (E_MANAGED if self.asset["isEdrManaged"] else 1000) // 1000

    def hazard_of(self, f, p, row, techniques):
        b = hazard(min(p, P_MAX))
        r = REACH[row][reach_class(self.asset)]
        return (b * r * self.susceptibility(f, techniques) * TAU + 5 * 10**14) // 10**15

    def weaknesses(self, f):
        """(key, h, i, techniques) of a finding: the greatest of its failures, each for itself."""
        found = {}
        for failure in f["failures"]:
            for key, h, i, techniques in self.weaknesses_of(f, failure):
                known_h, known_i, known_techniques = found.get(key, (-1, 0, None))
                found[key] = (max(known_h, h), max(known_i, i), techniques if h > known_h else known_techniques)
        for key, values in found.items():
            yield (key, *values)

    def weaknesses_of(self, f, failure):
        severity = failure["severity"]
        v = vector_of(severity)
        i = impact(severity, v, self.asset)
        techniques = self.techniques(failure)
        for cve in self.cves(failure):
            said = []
            if cve in self.known["epss"]:
                said.append(self.known["epss"][cve])
            if cve in self.known["kev"]:
                said.append(float(P_KEV))
            if cve in self.known["ransomware"]:
                said.append(float(P_RANSOMWARE))
            if not said:
                said = [p_of_severity(severity["value"]) if v is None else OBSTACLES[obstacles(v)]]
            suggested = "T1203" if needs_interaction(v) else "T1068" if v and v["AV"] in "LP" else "T1190"
            concerned = techniques or self.known["mapped"].get(cve) or [suggested]
            yield cve, self.hazard_of(f, max(said), reach_row(v, self.asset), concerned), i, concerned
        if techniques and not self.cves(failure) and f["type"] != "edr":
            tactics = {tactic for t in techniques for tactic in self.known["techniques"][t]}
            row = "network" if tactics & {"initial-access", "reconnaissance"} else "local"
            p = p_of_severity(severity["value"])
            yield f["id"], self.hazard_of(f, p, row, techniques), i, techniques

    def evidence(self, f):
        if f["type"] != "edr" or not self.failing_techniques(f):
            return None
        tactics = {tactic for t in self.failing_techniques(f) for tactic in self.known["techniques"][t]}
        weight = max([TACTICS["others"]] + [TACTICS.get(tactic, 0) for tactic in tactics])
        worst = [0, 0, 0]
        for one in f["detections"] or [{"state": "unreviewed", "closedAt": None}]:
            factor = 10**6
            if one["closedAt"] is not None:
                weeks = max(0, (self.at - one["closedAt"]) // (7 * DAY))
                factor = AGES[weeks] if weeks < len(AGES) else 0
            for k, p in enumerate(STATES[one["state"]]):
                e = (hazard(p * weight) * factor * 2 + 10**6) // (2 * 10**6)
                worst[k] = max(worst[k], e)
        return worst

    def result(self):
        mapped = [f for f in self.findings if self.is_active(f) and (self.cves(f) or self.techniques(f))]
        weak, evidence = {}, []
        for f in mapped:
            if f["state"] != "Failed":
                continue
            for key, h, i, _ in self.weaknesses(f):
                known_h, known_i = weak.get(key, (0, 0))
                weak[key] = (max(known_h, h), max(known_i, i))
            found = self.evidence(f)
            if found:
                evidence.append(found)
        s_f = sum(h * h for h, _ in weak.values())
        s_e = [sum(e[k] ** 2 for e in evidence) for k in range(3)]
        s_r = sum((h * i) ** 2 for h, i in weak.values()) + sum((e[1] * 100) ** 2 for e in evidence)
        w = WEIGHTS[self.asset["criticality"] or "not given"]
        r = root(s_r * w * w)
        score = min(10000, half_up(10000 * math.log1p(r / 10**7) / math.log1p(10**7)))
        return {"score": score if mapped else None, "s_f": s_f, "s_e": s_e}


def likelihood(s_f, s_e):
    ratios = [RATES[name][1] for name in ("low", "best", "high")]
    hs = [root(s_f * ratio**2 // 10**12 + s_e[k]) for k, ratio in enumerate(ratios)]
    return [half_up(-math.expm1(-h / 10**10) * 10**9) for h in hs]


def group(members):
    s_f = sum(m["s_f"] for m in members)
    s_e = [sum(m["s_e"][k] for m in members) for k in range(3)]
    scored = [m for m in members if m["score"] is not None]
    if not scored:
        return {"score": None, "likelihood": None, "expected": None}
    mean = sum(m["score"] ** 4 for m in scored) / len(members)
    each = [likelihood(m["s_f"], m["s_e"]) for m in scored]
    return {
        "score": half_up(math.sqrt(math.sqrt(mean))),
        "likelihood": likelihood(s_f, s_e),
        "expected": [sum(one[k] for one in each) for k in range(3)],
    }


def main():
    given = json.load(sys.stdin)
    results = [Case(case).result() for case in given["assets"]]
    answer = {
        "assets": [
            {
                "score": one["score"],
                "likelihood": None if one["score"] is None else likelihood(one["s_f"], one["s_e"]),
            }
            for one in results
        ],
        "groups": [group([results[i] for i in members]) for members in given["groups"]],
    }
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
