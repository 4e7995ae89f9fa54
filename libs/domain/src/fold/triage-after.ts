import type { FindingAssigned, FindingTicketsChanged, Ticket, TriageAct } from '../events.ts';
import type { Assignee, Finding, Triage } from '../state.ts';

/** Tags of one finding. */
export const FINDING_TAGS_MAX = 20;
/** Tickets of one finding. */
export const FINDING_TICKETS_MAX = 20;

const UNTRIAGED: Triage = { assignee: null, tags: [], due: null, tickets: [], comments: 0 };

/** What users decided about the work on a finding. */
export const triageOf = ({ triage }: Pick<Finding, 'triage'>): Triage => triage ?? UNTRIAGED;

/** One text for each assignee: the column that lists filter by. */
export const assigneeKey = (assignee: Assignee): string =>
  'user' in assignee ? `user:${assignee.user}` : `team:${assignee.team}`;

/** The triage after an act; null if it had too many tags or tickets. */
export function triageAfter(before: Triage, act: TriageAct): Triage | null {
  const after = triaged(before, act);
  return after.tags.length > FINDING_TAGS_MAX || after.tickets.length > FINDING_TICKETS_MAX ? null : after;
}

function triaged(before: Triage, act: TriageAct): Triage {
  switch (act.type) {
    case 'FindingAssigned':
      return { ...before, assignee: assigneeOf(act) };
    case 'FindingTagged': {
      const kept = before.tags.filter((tag) => !act.remove.includes(tag));
      return { ...before, tags: [...new Set([...kept, ...act.add])].sort() };
    }
    case 'FindingDueSet':
      return { ...before, due: act.due === null ? null : { at: act.due, reason: act.reason } };
    case 'FindingTicketsChanged':
      return { ...before, tickets: ticketsAfter(before.tickets, act) };
    case 'FindingCommented':
      return { ...before, comments: before.comments + 1 };
  }
}

function ticketsAfter(before: Ticket[], { attach, detach }: FindingTicketsChanged): Ticket[] {
  const given = new Set([...detach, ...attach.map(({ url }) => url)]);
  const byUrl = new Map(attach.map(({ url, label }) => [url, { url, label }]));
  return [...before.filter(({ url }) => !given.has(url)), ...byUrl.values()].sort((a, b) =>
    a.url < b.url ? -1 : 1,
  );
}

/** A user or a team, as events state it; null if both are. */
export function assigneeOf({ user, team }: Pick<FindingAssigned, 'user' | 'team'>): Assignee | null {
  if (user !== null) return { user };
  return team === null ? null : { team };
}
