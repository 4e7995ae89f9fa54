import type { Machine } from './entities.ts';
import {
  applicableVulnerabilities,
  type DemoFinding,
  detectionFindings,
  statusOf,
  vulnerabilityFinding,
} from './findings.ts';
import type { Random } from './random.ts';

/** Share of machines and users that the second day's delta speaks of. */
const TOUCHED_SHARE = 0.4;

/** What changed overnight: some findings fixed, some new, some sent again as they are; often nothing at all. */
export function deltaFindings(machine: Machine, before: DemoFinding[], random: Random): DemoFinding[] {
  if (!random.chance(TOUCHED_SHARE)) return [];
  return [
    ...evolved(before, random),
    ...newVulnerabilities(machine, before, random),
    ...detectionFindings(machine, random, 0.15).filter(
      ({ name }) => !before.some((old) => old.name === name),
    ),
  ];
}

/** The second day of a user's account. */
export const userDeltaFindings = (before: DemoFinding[], random: Random): DemoFinding[] =>
  random.chance(TOUCHED_SHARE) ? evolved(before, random) : [];

const FIXED_SHARE = 0.3;
const RESENT_SHARE = 0.25;

function evolved(before: DemoFinding[], random: Random): DemoFinding[] {
  return before.flatMap((finding) => {
    if (statusOf(finding) === 'pass' || finding.expiresInDays === -1) return [];
    if (random.chance(FIXED_SHARE)) return [fixed(finding)];
    return random.chance(RESENT_SHARE) ? [finding] : [];
  });
}

/** The finding, passed. */
export function fixed(finding: DemoFinding): DemoFinding {
  return {
    ...finding,
    instances: finding.instances.map((instance) => ({
      ...instance,
      status: 'pass',
      ...(instance.detection && { detection: { ...instance.detection, workflowStatus: 'closed' } }),
    })),
  };
}

function newVulnerabilities(machine: Machine, before: DemoFinding[], random: Random): DemoFinding[] {
  const known = new Set(before.map(({ cve }) => cve));
  const fresh = applicableVulnerabilities(machine).filter(({ cve }) => !known.has(cve));
  return random.sample(fresh, random.integer(0, 2)).map((vulnerability) => ({
    ...vulnerabilityFinding(machine, vulnerability, random),
    firstSeenDaysAgo: 0,
    expiresInDays: null,
  }));
}

/**
 * A complete new scan after a patch day: the remaining vulnerability findings. A clean host has one fixed finding,
 * because a host that no entry names is not replaced (R-ZIP-10).
 */
export function rescanFindings(before: DemoFinding[], random: Random): DemoFinding[] {
  const known = before.filter(({ type, expiresInDays }) => type === 'va' && expiresInDays !== -1);
  const left = known.filter(() => random.chance(0.5));
  return left.length > 0 ? left : known.slice(0, 1).map(fixed);
}
