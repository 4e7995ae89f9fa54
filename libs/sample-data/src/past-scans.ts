import { type DemoSignal, type DemoSize, machinesOfDayOne, usersOfDayOne, write } from './demo-uploads.ts';
import type { Machine, User } from './entities.ts';
import { type DemoFinding, machineFindings, userFindings } from './findings.ts';
import { fixed } from './next-day.ts';
import { createRandom, type Random } from './random.ts';

/** The scan of a week. Its machines' vulnerability assessments are replaced, so that fixed findings retire. */
export interface PastScan {
  title: string;
  config: Record<string, unknown>;
  /** Midnight UTC of its day, epoch ms. */
  day: number;
  /** Those of one entity after another. */
  signals: () => Generator<DemoSignal[]>;
}

const DAY_MS = 86_400_000;
const DAYS_OF_WEEK = 7;

/**
 * Weekly scans of the days before the second day of `demoUploads`, oldest first: findings appear when the first day
 * says that they were first seen, others are fixed on the way, and some return after a fix. The same size, seed and
 * days give the same bytes.
 */
export function pastScans(size: DemoSize, days: number): PastScan[] {
  const weeks = Math.floor(days / DAYS_OF_WEEK);
  return Array.from({ length: weeks }, (_, index) => {
    const ago = weeks - index;
    return {
      title: `scan ${ago} ${ago === 1 ? 'week' : 'weeks'} ago`,
      config: { fullAssessmentForTypes: ['va'] },
      day: size.secondDay - ago * DAYS_OF_WEEK * DAY_MS,
      signals: () => scanOf(size, weeks, ago),
    };
  });
}

function* scanOf(size: DemoSize, weeks: number, ago: number): Generator<DemoSignal[]> {
  const day = size.secondDay - ago * DAYS_OF_WEEK * DAY_MS;
  const signals = (entity: Machine | User, index: number, before: DemoFinding[], former: DemoFinding[]) => {
    const stream = (what: string) => streamOf(size, what, entity, index);
    const story = storyOf(stream('story'), weeks);
    // A host that no entry names is not replaced: one whose scans have not begun is not named at all.
    if (ago > story.scannedSince) return [];
    const isPatched = story.patched.from >= ago && ago >= story.patched.to;
    const known = new Set(before.map(({ type, name }) => `${type} ${name}`));
    const findings = [
      ...lasting(before, stream('lasting'), weeks, ago, isPatched),
      ...formerOnes(
        former.filter(({ type, name }) => !known.has(`${type} ${name}`)),
        stream('former'),
        weeks,
        ago,
      ),
    ];
    return write(entity, findings, day, createRandom(`${size.seed}/past/${ago}/${entity.kind}/${index}`));
  };
  for (const { machine, index, before } of machinesOfDayOne(size)) {
    const former = machineFindings(machine, createRandom(`${size.seed}/former/machine/${index}`));
    yield signals(machine, index, before, former);
  }
  for (const { user, index, before } of usersOfDayOne(size)) {
    const former = userFindings(user, createRandom(`${size.seed}/former/user/${index}`));
    yield signals(user, index, before, former);
  }
}

/** A machine of the organization. */
export interface PastMachine {
  machine: Machine;
  index: number;
  /** Midnight UTC of its first scan, epoch ms. */
  since: number;
}

/** The machines that `pastScans` reports, with the days from which on it does. */
export function* pastMachines(size: DemoSize, days: number): Generator<PastMachine> {
  const weeks = Math.floor(days / DAYS_OF_WEEK);
  for (const { machine, index } of machinesOfDayOne(size)) {
    const { scannedSince } = storyOf(streamOf(size, 'story', machine, index), weeks);
    yield { machine, index, since: size.secondDay - scannedSince * DAYS_OF_WEEK * DAY_MS };
  }
}

const streamOf = ({ seed }: DemoSize, what: string, entity: Machine | User, index: number): Random =>
  createRandom(`${seed}/past/${what}/${entity.kind}/${index}`);

/** In weeks ago. */
interface Story {
  scannedSince: number;
  /** The machine was updated, and the update was rolled back. */
  patched: { from: number; to: number };
}

/** Share of the entities that the tools see only after some weeks. */
const LATE_SHARE = 0.35;
const PATCHED_SHARE = 0.75;
const NEVER = { from: -1, to: 0 };

/** The tools are introduced step by step; an update in the middle of the past has to be rolled back. */
function storyOf(random: Random, weeks: number): Story {
  const isLate = random.chance(LATE_SHARE);
  const since = random.integer(Math.ceil(weeks * 0.65), weeks);
  const isPatched = random.chance(PATCHED_SHARE);
  const patched = {
    from: Math.round(weeks * 0.5) + random.integer(0, 1),
    to: Math.round(weeks * 0.25) - random.integer(0, 1),
  };
  return { scannedSince: isLate ? since : weeks, patched: isPatched ? patched : NEVER };
}

/** One of this share is fixed for some weeks, and returns. */
const RETURNING_SHARE = 0.08;
const FIXED_WEEKS_MAX = 4;

/** Share of the findings that an update fixes. */
const UPDATED_SHARE = 0.9;

/** Findings of the first day, since they were first seen. */
function lasting(
  findings: DemoFinding[],
  random: Random,
  weeks: number,
  ago: number,
  isPatched: boolean,
): DemoFinding[] {
  return findings.flatMap((finding) => {
    const returns = random.chance(RETURNING_SHARE);
    const last = random.integer(1, weeks);
    const first = last + random.integer(1, FIXED_WEEKS_MAX) - 1;
    const isUpdated = random.chance(UPDATED_SHARE);
    const seenDaysAgo = finding.firstSeenDaysAgo - ago * DAYS_OF_WEEK;
    if (seenDaysAgo < 0 || finding.expiresInDays !== null) return [];
    const then = { ...finding, firstSeenDaysAgo: seenDaysAgo };
    const isFixed = (returns && last <= ago && ago <= first) || (isPatched && isUpdated);
    return isFixed ? afterFix(then) : [then];
  });
}

/** Findings that were fixed before the first day. */
function formerOnes(findings: DemoFinding[], random: Random, weeks: number, ago: number): DemoFinding[] {
  return findings.flatMap((finding) => {
    const fixedAgo = random.integer(1, weeks);
    const seenAgo = fixedAgo + random.integer(1, weeks);
    if (ago > seenAgo || finding.expiresInDays !== null) return [];
    const then = { ...finding, firstSeenDaysAgo: (seenAgo - ago) * DAYS_OF_WEEK };
    return ago <= fixedAgo ? afterFix(then) : [then];
  });
}

/** A scanner does not report a fixed vulnerability; the other tools report that the check passes. */
const afterFix = (finding: DemoFinding): DemoFinding[] => (finding.type === 'va' ? [] : [fixed(finding)]);
