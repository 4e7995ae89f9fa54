import {
  type FindingType,
  ORGANIZATION_KEY,
  type PlanPromise,
  type PlanSaved,
  severityOf,
} from '#libs/domain';
import type { Random } from '#libs/sample-data';
import type { PastAct, PastFinding } from './past-log.ts';
import { ANALYSTS, TEAMS } from './people.ts';
import { DAY_MS, endOfDay, HOUR_MS } from './times.ts';

const FINDINGS_MAX = 60;

/** A step of a plan, on the day `daysAfterScan` after the scan `weeksAgo`. */
interface PlanStep {
  weeksAgo: number;
  daysAfterScan: number;
  kind: 'begin' | 'finish';
}

interface PlanStory {
  name: string;
  description: string;
  owner: Pick<PlanSaved, 'ownerUser' | 'ownerTeam'>;
  /** Which of the failed findings at its beginning it contains; `query` if a query has selected all of them. */
  selects: (failed: readonly PastFinding[]) => { findings: readonly PastFinding[]; query: string | null };
  /** Days after its beginning. */
  dueInDays: number;
  steps: PlanStep[];
}

/** Plans of a past of so many weekly scans; a short one has only the plan that runs. */
function storiesOf(weeks: number): PlanStory[] {
  const ago = (share: number) => Math.max(1, Math.round(weeks * share));
  const running: PlanStory = {
    name: 'Machines with open detections',
    description: 'Isolate each machine, find out what it left, and **rebuild** it if in doubt.',
    owner: { ownerUser: ANALYSTS[0], ownerTeam: null },
    selects: openDetections,
    dueInDays: ago(0.35) * 7 + 21,
    steps: [{ weeksAgo: ago(0.35), daysAfterScan: 3, kind: 'begin' }],
  };
  if (weeks < PLANS_WEEKS_MIN) return [running];
  return [
    {
      name: 'Clean up before the audit',
      description:
        'Detections, and vulnerabilities of severity 9 and above. The auditors look at them first.',
      owner: { ownerUser: null, ownerTeam: TEAMS.infrastructure },
      selects: detectionsAndCritical,
      dueInDays: (ago(0.65) - ago(0.4)) * 7 + 3,
      steps: [
        { weeksAgo: ago(0.65), daysAfterScan: 3, kind: 'begin' },
        { weeksAgo: ago(0.4), daysAfterScan: 3, kind: 'finish' },
      ],
    },
    {
      name: 'Hardening of configurations',
      description: 'Configurations that the benchmark requires and the auditor reports as failed.',
      owner: { ownerUser: null, ownerTeam: TEAMS.platform },
      selects: (failed) => ({ findings: upToMax(failed.filter(isOfType('ca'))), query: null }),
      dueInDays: Math.max(7, ago(0.5) * 7 - 12),
      steps: [{ weeksAgo: ago(0.5), daysAfterScan: 3, kind: 'begin' }],
    },
    running,
  ];
}

/** A past of fewer weeks has no time for a plan that ends, and one that is late. */
const PLANS_WEEKS_MIN = 4;

const isOfType =
  (type: FindingType) =>
  ({ finding }: PastFinding): boolean =>
    finding.type === type;
const isCritical = ({ finding }: PastFinding): boolean =>
  finding.type === 'va' && severityOf(finding).value >= 9;
const upToMax = (findings: readonly PastFinding[]) => findings.slice(0, FINDINGS_MAX);

const detectionsAndCritical: PlanStory['selects'] = (failed) => ({
  findings: upToMax([...failed.filter(isOfType('edr')), ...failed.filter(isCritical)]),
  query: null,
});

/** Fewer are no plan of their own. */
const DETECTIONS_MIN = 5;

/** All of them, by a query; a small organization has few. */
function openDetections(failed: readonly PastFinding[]): ReturnType<PlanStory['selects']> {
  const detections = failed.filter(isOfType('edr'));
  const isPlan = detections.length >= DETECTIONS_MIN && detections.length <= FINDINGS_MAX;
  if (!isPlan) return detectionsAndCritical(failed);
  return { findings: detections, query: 'type=edr' };
}

interface Context {
  /** Sorted by id. */
  findings: () => readonly PastFinding[];
  /** @param at epoch ms */
  promiseOf: (findingIds: readonly string[], at: number) => PlanPromise;
}

/** Remediation plans in the course of a past: one that has ended, one that is late, and one that runs. */
export class PastPlans {
  private readonly stories: PlanStory[];
  private readonly begun = new Map<PlanStory, PlanSaved & { version: number }>();

  /** @param random for the ids */
  constructor(
    private readonly lastDay: number,
    weeks: number,
    private readonly random: Random,
  ) {
    this.stories = storiesOf(weeks);
  }

  /** What is done about plans on a day, from 10:00 on. @param day midnight UTC, epoch ms */
  actsOn(day: number, context: Context): PastAct[] {
    const acts: PastAct[] = [];
    for (const story of this.stories) {
      const step = story.steps.find(
        ({ weeksAgo, daysAfterScan }) => day === this.dayOf(weeksAgo, daysAfterScan),
      );
      if (step === undefined) continue;
      const from = day + 10 * HOUR_MS + acts.length * HOUR_MS;
      const payloads = step.kind === 'begin' ? this.begin(story, from, context) : this.finish(story, from);
      acts.push(...payloads.map(({ at, payload }) => this.act(story, at, payload)));
    }
    return acts;
  }

  private dayOf(weeksAgo: number, daysAfterScan: number): number {
    return this.lastDay - weeksAgo * 7 * DAY_MS + daysAfterScan * DAY_MS;
  }

  /** Planned, and started half an hour later. */
  private begin(story: PlanStory, at: number, { findings, promiseOf }: Context) {
    const failed = findings().filter(({ finding }) => finding.state === 'Failed');
    const selected = story.selects(failed);
    if (selected.findings.length === 0) return [];
    const startedAt = at + HOUR_MS / 2;
    const findingIds = selected.findings.map(({ finding }) => finding.id).sort();
    const planned: PlanSaved = {
      type: 'PlanSaved',
      id: this.random.uuid(),
      seenVersion: null,
      name: story.name,
      description: story.description,
      ...story.owner,
      due: endOfDay(at + story.dueInDays * DAY_MS),
      state: 'planned',
      findingIds,
      query: selected.query,
      createdAt: at,
      startedAt: null,
      finishedAt: null,
      promise: null,
    };
    const promise = promiseOf(findingIds, startedAt);
    const active: PlanSaved = { ...planned, seenVersion: 1, state: 'active', startedAt, promise };
    this.begun.set(story, { ...active, version: 2 });
    return [
      { at, payload: planned },
      { at: startedAt, payload: active },
    ];
  }

  private finish(story: PlanStory, at: number) {
    const begun = this.begun.get(story);
    if (!begun) return [];
    const { version, ...active } = begun;
    return [{ at, payload: { ...active, seenVersion: version, state: 'done' as const, finishedAt: at } }];
  }

  private act({ owner }: PlanStory, at: number, payload: PlanSaved): PastAct {
    const user = owner.ownerUser ?? ANALYSTS[1];
    return { id: this.random.uuid(), user, entityKey: ORGANIZATION_KEY, at, payload };
  }
}
