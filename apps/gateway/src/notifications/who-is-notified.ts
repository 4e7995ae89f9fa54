import type { Assignee } from '#libs/domain';
import { type AssetPlace, showsPlace } from '#libs/tables';
import {
  FINDINGS_LISTED_MAX,
  type NewNotification,
  type NotificationKind,
  type Person,
} from './notification.ts';

/** An act of the audit trail on a finding, names in the clear. */
export interface NotifyingAct {
  action: string;
  user: string | null;
  detail: { mentions?: string[]; user?: string | null; team?: string | null };
}

/** A finding with what decides who is notified of it; names in the clear. */
export interface ActedFinding extends AssetPlace {
  /** The one that a user has chosen, otherwise the owner of the asset. */
  assignee: Assignee | null;
}

/** Acts of the audit trail that notify. */
export const NOTIFYING_ACTIONS: readonly string[] = ['finding.assigned', 'finding.commented'];

/** Names of users and teams that an act can notify. */
export function namesIn({ detail }: NotifyingAct, { assignee }: ActedFinding) {
  const given: { user?: string | null; team?: string | null }[] = [detail, { ...assignee }];
  return {
    users: [...(detail.mentions ?? []), ...given.flatMap(({ user }) => user ?? [])],
    teams: given.flatMap(({ team }) => team ?? []),
  };
}

/** What an act notifies a person of; null: nothing. A person may see the finding, and own acts notify nobody. */
export function kindFor(act: NotifyingAct, finding: ActedFinding, person: Person): NotificationKind | null {
  if (act.user === person.name || !person.canReadFindings || !showsPlace(person.rows, finding)) return null;
  return kindsOf(act, finding, person).find((kind) => person.kinds.includes(kind)) ?? null;
}

function kindsOf({ action, detail }: NotifyingAct, { assignee }: ActedFinding, person: Person) {
  const kinds: NotificationKind[] = [];
  if (action === 'finding.commented') {
    if (detail.mentions?.includes(person.name)) kinds.push('mentioned');
    if (assignee !== null && isTheirs(assignee, person)) kinds.push('commented');
  }
  if (action === 'finding.assigned') {
    const { user, team } = detail;
    const isAssigned = (user ?? null) === person.name || (team != null && person.teams.includes(team));
    if (isAssigned) kinds.push('assigned');
  }
  return kinds;
}

const isTheirs = (assignee: Assignee, { name, teams }: Person): boolean =>
  'user' in assignee ? assignee.user === name : teams.includes(assignee.team);

/** One notification for each key of a person: a bulk act on a thousand findings is one. */
export function gathered(notifications: readonly NewNotification[]): NewNotification[] {
  const byKey = new Map<string, NewNotification>();
  for (const one of notifications) {
    const key = `${one.personId} ${one.key}`;
    const other = byKey.get(key);
    if (!other) byKey.set(key, { ...one });
    else {
      other.at = Math.max(other.at, one.at);
      other.findings += one.findings;
      other.findingIds = [...other.findingIds, ...one.findingIds].slice(0, FINDINGS_LISTED_MAX);
    }
  }
  return [...byKey.values()];
}
