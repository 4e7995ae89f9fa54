"""What moved a score of posture-2, computed from the text of docs/scoring.md alone.

Usage: explain.py PAGE < moves.json > parts.json
"""

import json
import sys
from decimal import Decimal, getcontext
from math import factorial

from posture2 import WEIGHTS, Case

getcontext().prec = 60

PARTIES = ("asset", "findings", "controls", "catalogues", "age")
SETS = [frozenset(p for bit, p in enumerate(PARTIES) if number >> bit & 1) for number in range(32)]
NOTHING, EVERYTHING = SETS[0], SETS[-1]
PI = {s: Decimal(factorial(len(s)) * factorial(4 - len(s))) / factorial(5) for s in SETS if len(s) < 5}


class Mixture(Case):
    """An asset with the parties in a set as at to, the others as at from."""

    def __init__(self, sides, members):
        def side(party):
            return sides[party in members]

        self.asset = side("asset")["asset"]
        self.findings, self.at = side("findings")["findings"], side("findings")["at"]
        self.controls, self.controls_at = side("controls")["findings"], side("controls")["at"]
        self.known, self.age_at = side("catalogues")["known"], side("age")["at"]
        self.weak, self.proof = {}, {}
        for f in self.findings:
            if f["state"] != "Failed" or not self.is_active(f):
                continue
            for key, h, i, _ in self.weaknesses(f):
                self.weak.setdefault(key, {})[f["id"]] = (h, i)
            found = self.evidence(f)
            if found:
                self.proof["evidence " + f["id"]] = (f["id"], found[1])
        self.total = sum(self.square(key) for key in self.keys())
        self.weight = WEIGHTS[self.asset["criticality"] or "not given"]
        self.s = points(self.total, self.weight)
        self.g = self.s**4

    def susceptibility(self, f, techniques):
        own = self.findings, self.at
        self.findings, self.at = self.controls, self.controls_at
        try:
            return super().susceptibility(f, techniques)
        finally:
            self.findings, self.at = own

    def evidence(self, f):
        own, self.at = self.at, self.age_at
        try:
            return super().evidence(f)
        finally:
            self.at = own

    def keys(self):
        return set(self.weak) | set(self.proof)

    def product(self, key):
        if key in self.proof:
            return self.proof[key][1] * 100
        parts = self.weak.get(key, {}).values()
        return max((h for h, _ in parts), default=0) * max((i for _, i in parts), default=0)

    def square(self, key):
        return self.product(key) ** 2

    def parts(self, key):
        """Of each finding: hazard and impact."""
        if key in self.proof:
            return {self.proof[key][0]: (self.proof[key][1], 1)}
        return self.weak.get(key, {})

    def finding(self, ident):
        return next(f for f in self.findings if f["id"] == ident)

    def concerned(self, f, key):
        """The techniques of a weakness or of evidence."""
        weaknesses = {own: techniques for own, _, _, techniques in self.weaknesses(f)}
        return weaknesses.get(key) or self.failing_techniques(f)


def points(total, weight):
    risk = weight * Decimal(total).sqrt() / 10**7
    return min(Decimal(10000), 10000 * (1 + risk).ln() / (1 + Decimal(10) ** 7).ln())


def fourth_root(x):
    return x.sqrt().sqrt()


def root_slope(a, b):
    if a != b:
        return (fourth_root(b) - fourth_root(a)) / (b - a)
    return Decimal(0) if a == 0 else fourth_root(a) / (4 * a)


def power_slope(a, b):
    if a.total != b.total:
        return (b.g - a.g) / (b.total - a.total)
    if a.total == 0 or a.s >= 10000:
        return Decimal(0)
    step = Decimal(10) ** -30 * a.total
    return (points(a.total + step, a.weight) ** 4 - a.g) / step


class Asset:
    def __init__(self, ident, before, after):
        self.ident, self.sides = ident, (before, after)
        self.mixtures = {s: Mixture(self.sides, s) for s in SETS}
        self.by_id = [{f["id"]: f for f in side["findings"]} for side in self.sides]

    def parts(self):
        """(cause, party, {S: part of the change of G})"""
        m = self.mixtures
        keys = sorted(set().union(*(one.keys() for one in m.values())))
        for party in PARTIES:
            sets = [s for s in SETS if party not in s]
            if party == "asset":
                yield ("asset", self.ident, self.ident), party, {s: m[s | {party}].g - m[s].g for s in sets}
                continue
            slopes = {s: power_slope(m[s], m[s | {party}]) for s in sets}
            for key in keys:
                effects = {s: slopes[s] * (m[s | {party}].square(key) - m[s].square(key)) for s in sets}
                if any(effects.values()):
                    total = sum(PI[s] * effects[s] for s in sets)
                    signed = [s for s in sets if effects[s] * total > 0] or [s for s in sets if effects[s]]
                    yield self.name(party, key, m[signed[0]], m[signed[0] | {party}]), party, effects

    def name(self, party, key, before, after):
        if party == "findings":
            ident = self.mover(key, before, after)
            accepted = [side.get(ident, {}).get("state") == "AcceptedFailed" for side in self.by_id]
            return ("finding" if accepted[0] == accepted[1] else "acceptance", ident, self.ident)
        if party == "controls":
            return ("control", self.decider(key, before, after), self.ident)
        if party == "age":
            return ("age", before.proof[key][0], self.ident)
        return ("catalogue", self.stated(key, before, after), None)

    def mover(self, key, before, after):
        rise = after.product(key) > before.product(key)
        less, more = (before, after) if rise else (after, before)
        moved = [
            (-h * i, ident)
            for ident, (h, i) in more.parts(key).items()
            if h > less.parts(key).get(ident, (0, 0))[0] or i > less.parts(key).get(ident, (0, 0))[1]
        ]
        return min(moved)[1]

    def decider(self, key, before, after):
        def carrier(side):
            return min((-h, ident) for ident, (h, _) in side.parts(key).items())

        # Of two sides, the one on which the weakness has the greater hazard.
        (h_before, ident_before), (h_after, ident_after) = carrier(before), carrier(after)
        greater, ident = (before, ident_before) if h_before < h_after else (after, ident_after)
        wanted = greater.covers(greater.concerned(greater.finding(ident), key))
        found = {}
        for side in (before, after):
            for f in side.controls:
                if f["type"] not in ("ca", "uba") or f["id"] == ident:
                    continue
                fails = f["state"] == "Failed" and f["activeUntil"] > side.controls_at
                covered = side.failing_techniques(f) if fails else side.techniques(f)
                if wanted & side.covers(covered) and (fails or f["lastVerdict"] == "passed"):
                    found.setdefault((side is after, fails), []).append(f["id"])
        for fails in (True, False):
            sides = [is_after for is_after in (False, True) if (is_after, fails) in found]
            if fails and sides:
                return min(found[(sides[0], fails)])
            if sides:
                # Without a failing control, exactly one side has a passing one.
                return min(found[(sides[0], fails)])
        raise ValueError("no control decides")

    def stated(self, key, before, after):
        sides = [(side, side.finding(ident)) for side in (before, after) for ident in side.parts(key)]
        own = [key] if key.startswith("CVE-") else []
        lists = [
            own,
            [c for _, f in sides for c in f["cves"]],
            [t for side, f in sides for t in side.concerned(f, key)],
            [t for _, f in sides for t in f["techniques"]],
            [t for f in before.controls if f["type"] in ("ca", "uba") for t in f["techniques"]],
        ]
        for ids in lists:
            for ident in sorted(set(ids)):
                if facts(ident, before.known) != facts(ident, after.known):
                    return ident
        raise ValueError("the catalogues state nothing else")


def facts(ident, known):
    return (
        known["epss"].get(ident),
        ident in known["kev"] or ident in known["ransomware"],
        ident in known["ransomware"],
        known["states"].get(ident),
        sorted(known["mapped"].get(ident, [])),
        sorted(known["techniques"].get(ident, ["none"])),
        sorted(known["mitigations"].get(ident, [])),
    )


def divide(move):
    before, after = move["from"], move["to"]
    both, leaving, joining = [], [], []
    for one in move["moves"]:
        sides = [given and {**given, **side} for given, side in ((one["from"], before), (one["to"], after))]
        if all(sides):
            both.append(Asset(one["assetId"], *sides))
        elif sides[0]:
            leaving.append((one["assetId"], Mixture((sides[0], sides[0]), NOTHING).g))
        else:
            joining.append((one["assetId"], Mixture((sides[1], sides[1]), NOTHING).g))
    n = len(both)
    mean = {s: sum(a.mixtures[s].g for a in both) / n if n else Decimal(0) for s in SETS}
    parts = {}

    def add(cause, part):
        parts[cause] = parts.get(cause, 0) + part

    for passing, others, sign in ((leaving, mean[NOTHING], -1), (joining, mean[EVERYTHING], 1)):
        whole = n + len(passing)
        with_them = (others * n + sum(g for _, g in passing)) / whole if passing else others
        for ident, g in passing:
            add(("asset", ident, ident), sign * root_slope(others, with_them) * (g - others) / whole)
    for asset in both:
        for cause, party, effects in asset.parts():
            for s, effect in effects.items():
                add(cause, PI[s] * root_slope(mean[s], mean[s | {party}]) * effect / n)
    return [[*cause, float(part)] for cause, part in parts.items()]


json.dump([divide(move) for move in json.load(sys.stdin)], sys.stdout)
