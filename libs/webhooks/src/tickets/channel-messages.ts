import type { TicketContent } from './ticket-content.ts';
import type { RemoteTicket, TicketSystem } from './ticket-system.ts';

/** A message cannot be found or changed again. Its key says that there was one. */
const MESSAGE: RemoteTicket = { key: 'message', url: null };

/**
 * Messages to a channel instead of tickets.
 * @param say sends the message of a finding under this title
 */
export const channelMessages = (
  say: (title: string, content: TicketContent) => Promise<unknown>,
  test: TicketSystem['test'],
): TicketSystem => ({
  find: async () => null,
  open: (content) => say(`New: ${content.title}`, content).then(() => MESSAGE),
  close: async (_, content, end) => {
    if (content) await say(`${end}: ${content.title}`, content);
  },
  reopen: (_, content) => say(`Failed again: ${content.title}`, content).then(() => true),
  labelOf: (key) => key,
  test,
});
