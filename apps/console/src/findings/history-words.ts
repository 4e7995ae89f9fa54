import { t } from '@lingui/core/macro';
import type { Api } from '../api/client.ts';
import { list, number } from '../language/format.ts';
import { fullInstant, localInstant } from '../parts/instant.tsx';
import { type FindingState, stateNames } from '../parts/state.tsx';

type Item = Api['HistoryItemDto'];

export const retiredBecause = (): Record<NonNullable<Api['FindingDto']['retiredReason']>, string> => ({
  expired: t`The finding expired because no signal confirmed it in time.`,
  replaced: t`A full assessment of the asset no longer contained it.`,
  retention: t`No signal reported it within the retention period.`,
  revoked: t`The source revoked it.`,
  assetDeleted: t`The asset was deleted.`,
});

const reasons = (): Record<NonNullable<Item['reason']>, string> => ({
  ...retiredBecause(),
  acceptanceEnded: t`The acceptance expired.`,
  clockCorrected: t`A clock that was ahead was corrected. The state was recalculated without it.`,
  acceptanceOverridden: t`An upload that can override acceptances reported a failure.`,
  user: t`A user made the decision.`,
});

const changes = (): Record<Item['change'], string> => ({
  created: t({ message: 'First found', context: 'step of the history' }),
  updated: t({ message: 'Changed', context: 'step of the history' }),
  stateChanged: t({ message: 'State changed', context: 'step of the history' }),
  retired: t({ message: 'Retired', context: 'step of the history' }),
  returned: t({ message: 'Returned', context: 'step of the history' }),
  accepted: t({ message: 'Accepted', context: 'step of the history' }),
  reverted: t({ message: 'Acceptance reverted', context: 'step of the history' }),
  assigned: t({ message: 'Assigned', context: 'step of the history' }),
  tagged: t({ message: 'Tags changed', context: 'step of the history' }),
  dueSet: t({ message: 'Due date changed', context: 'step of the history' }),
  ticketsChanged: t({ message: 'Tickets changed', context: 'step of the history' }),
  commented: t({ message: 'Comment added', context: 'step of the history' }),
  erased: t({ message: 'Personal texts erased', context: 'step of the history' }),
});

/** Title of a step. Holds and acceptances are ended by the same action. */
export const titleOf = ({ change, from }: Item): string =>
  change === 'reverted' && from === 'Failed' ? t`Hold ended` : changes()[change];

/** Reason of a step; null if the cause is a signal, or if the title already states it. */
export const reasonOf = ({ reason }: Item): string | null =>
  reason === null || reason === 'user' ? null : reasons()[reason];

const fields = (): Record<string, string> => ({
  state: t`State`,
  retiredReason: t`Retired because`,
  accepted: t`Acceptance`,
  heldFailed: t`Held as Failed`,
  assignee: t`Assignee`,
  tags: t`Tags`,
  due: t({ message: 'Due', context: 'date' }),
  dueReason: t`Due reason`,
  tickets: t`Tickets`,
  comments: t`Comments`,
  name: t`Name`,
  subtype: t`Source type`,
  severity: t`Severity`,
  cves: t`CVEs`,
  techniques: t`ATT&CK techniques`,
  description: t`Description`,
  technical: t`Technical details`,
  businessImpact: t`Business impact`,
  remediation: t`Remediation`,
  source: t`Source`,
  nextSubmissionIntervalInMins: t`Next report within (minutes)`,
  controlType: t`Control type`,
  confidence: t`Confidence`,
  extra: t`Other signal fields`,
});

/** A field that the console does not know has its name in the API. */
function fieldName({ field, key }: Api['FieldChangeDto']): string {
  if (field === 'instances') return key ? t`Instance ${key}` : t`Instance`;
  return fields()[field] ?? field;
}

/** Names within a field, such as those of an instance. */
const parts = (): Record<string, string> => ({
  value: t({ message: 'value', context: 'part of a field' }),
  level: t({ message: 'level', context: 'part of a field' }),
  vector: t({ message: 'vector', context: 'part of a field' }),
  baseScore: t({ message: 'base score', context: 'part of a field' }),
  temporalScore: t({ message: 'temporal score', context: 'part of a field' }),
  type: t({ message: 'type', context: 'part of a field' }),
  name: t({ message: 'name', context: 'part of a field' }),
  status: t({ message: 'status', context: 'part of a field' }),
  counted: t({ message: 'counted', context: 'part of a field' }),
  evidence: t({ message: 'evidence', context: 'part of a field' }),
  tags: t({ message: 'tags', context: 'part of a field' }),
  description: t({ message: 'description', context: 'part of a field' }),
  impact: t({ message: 'impact', context: 'part of a field' }),
  reference: t({ message: 'reference', context: 'part of a field' }),
});

/** A name that only the source knows is shown as it is. */
const partName = (part: string): string => parts()[part] ?? part;

/** One side of a change as text; null if it has no value. */
function sideText(side: unknown): string | null {
  if (side === null || side === undefined) return null;
  if (typeof side === 'string') return stateNames()[side as FindingState] ?? localInstant(side);
  if (typeof side === 'boolean') return side ? t`yes` : t`no`;
  if (typeof side === 'number') return number(side, { useGrouping: false, maximumFractionDigits: 6 });
  if (Array.isArray(side))
    return (
      list(
        side.map((one) => sideText(one) ?? ''),
        'unit',
      ) || null
    );
  if (!isRecord(side)) return String(side);
  if (isDecision(side)) return decisionText(side);
  const all = Object.entries(side).map(
    ([name, value]) => [partName(name), sideText(value), isRecord(value)] as const,
  );
  const shown = all.filter(([, text]) => text);
  return shown
    .map(([name, text, isNested]) => (isNested ? `${name} (${text})` : `${name}: ${text}`))
    .join(' · ');
}

/** A changed value. */
export interface Difference {
  name: string;
  before: string | null;
  after: string | null;
}

/** The differences of a change, by nested field if both sides are objects: `Severity, value`. */
export const differencesOf = (change: Api['FieldChangeDto']): Difference[] =>
  differences(fieldName(change), change.before, change.after);

function differences(name: string, before: unknown, after: unknown): Difference[] {
  if (isRecord(before) && isRecord(after) && !isDecision(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((part) => differences(`${name}, ${partName(part)}`, before[part], after[part]));
  }
  const [was, is] = [sideText(before), sideText(after)];
  return was === is ? [] : [{ name, before: was, after: is }];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A decision of a user: an acceptance, or a hold, which has no end and no rationale. */
interface Decision {
  by: string;
  at: string;
  until?: string | null;
  rationale?: string;
}

const isDecision = (value: object): value is Decision => 'by' in value && 'at' in value;

function decisionText({ by, at, until, rationale }: Decision): string {
  const made = madeText(by, fullInstant(at), until);
  return rationale ? `${made}: ${rationale}` : made;
}

function madeText(by: string, time: string, until: string | null | undefined): string {
  if (until === undefined) return t`by ${by}, ${time}`;
  if (until === null) return t`by ${by}, ${time}, until it is reverted`;
  const end = fullInstant(until);
  return t`by ${by}, ${time}, until ${end}`;
}
