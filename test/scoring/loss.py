# The simulation of losses as docs/scoring.md "Loss" describes it, without the code of the service.
import hashlib
import json
import math
import sys
from statistics import NormalDist

WORD = (1 << 64) - 1
NORMAL = NormalDist()


class SplitMix64:
    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & WORD
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & WORD
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & WORD
        return z ^ (z >> 31)

    def draw(self):
        return ((self.next() >> 11) + 0.5) * 2.0**-53


def place(chances, u):
    whole = 0
    for chance in chances:
        whole += chance
    so_far = 0
    for i, chance in enumerate(chances):
        so_far += chance
        if so_far > u * whole:
            return i


def poisson(mean, u):
    events, chance = 0, math.exp(-mean)
    total = chance
    while u > total and chance > 0:
        events += 1
        chance *= mean / events
        total += chance
    return events


def loss(asset, u):
    if asset["range"] is None:
        return 0
    low, high = (math.log(asset["range"][end]) for end in ("min", "max"))
    return math.exp((low + high) / 2 + (high - low) / (2 * 1.6448536269514722) * NORMAL.inv_cdf(u))


def simulate(case):
    text = f"posture-2|{case['position']}|{case['scope']}".encode()
    years = SplitMix64(int.from_bytes(hashlib.sha256(text).digest()[:8], "big"))
    assets = sorted((a for a in case["assets"] if a["hazard"] > 0), key=lambda a: a["id"])
    if not assets:
        return [0] * 10_000
    hazards = [a["hazard"] for a in assets]
    squares = [h * h for h in hazards]
    norm = math.sqrt(sum(squares))
    further = max(0, sum(hazards) / norm - 1)
    count = max(100, min(10_000, math.floor(5_000_000 / (min(norm, 700) * (1 + further)))))
    losses = []
    for _ in range(count):
        random = SplitMix64(years.next())
        year = 0
        for _ in range(poisson(min(norm, 700), random.draw())):
            reached = [place(squares, random.draw())]
            u = random.draw()
            more = math.floor(math.log(u) / math.log(further / (1 + further))) if further > 0 else 0
            for _ in range(more):
                reached.append(place(hazards, random.draw()))
            for i in dict.fromkeys(reached):
                year += loss(assets[i], random.draw())
        losses.append(year)
    return losses


def figures(case):
    losses = simulate(case)
    return {"years": len(losses), "mean": sum(losses) / len(losses), "lossYears": sum(x > 0 for x in losses)}


json.dump([figures(case) for case in json.load(sys.stdin)], sys.stdout)
