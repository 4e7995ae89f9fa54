import { type Finding, severityOf, type TriageAct } from '#libs/domain';
import type { Random } from '#libs/sample-data';
import type { PastAct, PastFinding } from './past-log.ts';
import { ADMIN, ANALYSTS, TEAMS } from './people.ts';
import { DAY_MS, endOfDay, MINUTE_MS } from './times.ts';

/** Users look at findings of this severity and above. */
const SEVERITY_MIN = 7;
/** Findings that are taken up after a scan. */
const TAKEN = 8;
const TICKET_SHARE = 0.4;
const DUE_SHARE = 0.25;
const COMMENT_SHARE = 0.7;
const TEAM_SHARE = 0.3;
const ADMIN_SHARE = 0.1;

const TAGS = ['patch-window', 'vendor-contacted', 'needs-reboot', 'internet-facing', 'quick-win'];

const COMMENTS = [
  'Update is tested in staging; production follows in the next **patch window**.',
  'The owner of the system agreed to a restart on Thursday evening.',
  'The vendor confirmed the fix for the next release, see the ticket.',
  'Reproduced. Until the update, the service is reachable only from the management network.',
];

/**
 * What analysts do two days after a scan: they take up some severe findings that no one works on. Each is assigned; of
 * some they add tags, a ticket, an earlier due date, or a comment.
 */
export function triageActs(findings: readonly PastFinding[], at: number, random: Random): PastAct[] {
  const open = findings.filter(({ finding }) => isUntouched(finding));
  return random
    .sample(open, TAKEN)
    .flatMap((one) => workOn(one, at, random))
    .map((act, index) => ({ ...act, at: at + index * 2 * MINUTE_MS }));
}

const isUntouched = (finding: Finding): boolean =>
  finding.state === 'Failed' && !finding.triage?.assignee && severityOf(finding).value >= SEVERITY_MIN;

function workOn({ entityKey, finding }: PastFinding, at: number, random: Random): PastAct[] {
  const user = random.pick(ANALYSTS);
  const other = ANALYSTS.find((one) => one !== user)!;
  const act = (by: string, payload: TriageAct): PastAct => ({
    id: random.uuid(),
    user: by,
    entityKey,
    at,
    payload,
  });
  const of = { findingId: finding.id, seenVersion: null };
  const acts = [act(user, { type: 'FindingAssigned', ...of, ...assigneeOf(user, random) })];
  acts.push(
    act(user, { type: 'FindingTagged', ...of, add: random.sample(TAGS, random.integer(1, 2)), remove: [] }),
  );
  if (random.chance(TICKET_SHARE)) {
    const label = `HAL-${random.integer(1_000, 9_999)}`;
    const ticket = { url: `https://tickets.halden.example/browse/${label}`, label };
    acts.push(act(user, { type: 'FindingTicketsChanged', ...of, attach: [ticket], detach: [] }));
  }
  if (random.chance(DUE_SHARE)) {
    const due = endOfDay(at + random.integer(10, 40) * DAY_MS);
    acts.push(
      act(user, { type: 'FindingDueSet', ...of, due, reason: 'Agreed with the owner of the system' }),
    );
  }
  if (random.chance(COMMENT_SHARE)) {
    const text = random.pick(COMMENTS);
    acts.push(act(user, { type: 'FindingCommented', ...of, text: `${text} @${other}`, mentions: [other] }));
  }
  return acts;
}

function assigneeOf(user: string, random: Random): { user: string | null; team: string | null } {
  if (random.chance(ADMIN_SHARE)) return { user: ADMIN, team: null };
  if (random.chance(TEAM_SHARE)) return { user: null, team: random.pick(Object.values(TEAMS)) };
  return { user, team: null };
}

/** Findings that the admin works on at the end. */
const OF_ADMIN = 5;

/** The admin takes some critical findings, so that the first user of the site has a queue. */
export function adminTakes(findings: readonly PastFinding[], at: number, random: Random): PastAct[] {
  const open = findings.filter(({ finding }) => isUntouched(finding));
  return random.sample(open, OF_ADMIN).map(({ entityKey, finding }, index) => ({
    id: random.uuid(),
    user: ANALYSTS[0],
    entityKey,
    at: at + index * MINUTE_MS,
    payload: { type: 'FindingAssigned', findingId: finding.id, seenVersion: null, user: ADMIN, team: null },
  }));
}
