import { email } from './email.ts';
import { github } from './github.ts';
import { jira } from './jira.ts';
import { slack } from './slack.ts';
import { teams } from './teams.ts';
import type { TicketKind, TicketOptions } from './ticket-kinds.ts';
import type { TicketConnection } from './ticket-request.ts';
import type { TicketSystem } from './ticket-system.ts';

const SYSTEMS: Record<TicketKind, (connection: TicketConnection, options: TicketOptions) => TicketSystem> = {
  github,
  jira,
  slack,
  teams,
  email,
};

/** The system of a webhook. */
export const openTicketSystem = (
  kind: TicketKind,
  connection: TicketConnection,
  options: TicketOptions,
): TicketSystem => SYSTEMS[kind](connection, options);
