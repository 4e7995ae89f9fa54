import type { IntakePayload } from '#libs/domain';
import type { Random } from '#libs/sample-data';
import type { PastAct, PastFinding } from './past-log.ts';
import { ANALYSTS } from './people.ts';
import { DAY_MS } from './times.ts';

/** One of this share of failed findings is accepted after each scan, at most so many. */
const ACCEPTED_SHARE = 0.004;
const ACCEPTED_MAX = 20;
const WITH_END_SHARE = 0.75;
const REVERTED_SHARE = 0.1;

const RATIONALES = [
  'Isolated network segment, no route from outside',
  'Replacement of the system is ordered',
  'The vendor has no update yet',
  'Compensating control: access only through the bastion host',
  'The service is disabled, the scanner reports the installed package',
];

/**
 * What users do on the day after a scan: accept some failed findings, most until an end, and revert some acceptances.
 * @param needEnd acceptances must have an end
 */
export function pastActs(
  findings: readonly PastFinding[],
  at: number,
  random: Random,
  { needEnd }: { needEnd: boolean },
): PastAct[] {
  const failed = findings.filter(({ finding }) => finding.state === 'Failed');
  const accepted = findings.filter(({ finding }) => finding.state === 'AcceptedFailed');
  const count = Math.min(ACCEPTED_MAX, Math.ceil(failed.length * ACCEPTED_SHARE));
  const endShare = needEnd ? 1 : WITH_END_SHARE;
  const acts: [PastFinding, IntakePayload][] = [
    ...random
      .sample(failed, count)
      .map((one): [PastFinding, IntakePayload] => [one, acceptance(one, at, endShare, random)]),
    ...accepted
      .filter(() => random.chance(REVERTED_SHARE))
      .map((one): [PastFinding, IntakePayload] => [one, revert(one)]),
  ];
  return acts.map(([{ entityKey }, payload], index) => ({
    id: random.uuid(),
    user: random.pick(ANALYSTS),
    entityKey,
    at: at + index * 60_000,
    payload,
  }));
}

const acceptance = (
  { finding }: PastFinding,
  at: number,
  endShare: number,
  random: Random,
): IntakePayload => ({
  type: 'FindingAccepted',
  findingId: finding.id,
  seenVersion: null,
  rationale: random.pick(RATIONALES),
  until: random.chance(endShare) ? at + random.integer(10, 60) * DAY_MS : null,
});

const revert = ({ finding }: PastFinding): IntakePayload => ({
  type: 'FindingReverted',
  findingId: finding.id,
  seenVersion: null,
  to: 'Failed',
  rationale: 'The reason no longer applies',
});
