import type { ChangeEvent } from '#libs/contracts';
import type { FindingType } from '#libs/domain';
import { type ChangeFilter, matchesFilter } from '../change-filter.ts';
import type { TicketFinding } from './ticket-finding.ts';

/** The states in which a finding has an open ticket. */
export const openStates = ({ states = ['Failed'] }: ChangeFilter): string[] => states;

/** Whether a finding has an open ticket while it is in this state. */
export const isOpenState = (filter: ChangeFilter, state: string): boolean =>
  openStates(filter).includes(state);

/** Whether a finding keeps an open ticket: its severity and its decision do not matter, because they come and go. */
export const keepsTicket = (
  filter: ChangeFilter,
  { state, type }: Pick<TicketFinding, 'state' | 'type'>,
): boolean => isOpenState(filter, state) && hasType(filter, type);

const hasType = ({ types }: ChangeFilter, type: FindingType): boolean => !types || types.includes(type);

/** Whether a change can open or close a ticket. */
export const concernsTicket = (filter: ChangeFilter, event: ChangeEvent): boolean =>
  matchesFilter({ ...filter, states: openStates(filter) }, event);

/** Whether a finding gets a ticket if it has none. */
export const opensTicket = (
  { severityMin = 0, ssvc, ...filter }: ChangeFilter,
  { state, severity, type, decision }: Pick<TicketFinding, 'state' | 'severity' | 'type' | 'decision'>,
): boolean =>
  keepsTicket(filter, { state, type }) &&
  severity.value >= severityMin &&
  (!ssvc || (decision !== null && ssvc.includes(decision)));
