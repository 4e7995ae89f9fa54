import type { Webhook } from '../webhook.ts';
import { endOf, ticketContent } from './ticket-content.ts';
import type { TicketFinding } from './ticket-finding.ts';
import { isOpenState, keepsTicket, opensTicket } from './ticket-rule.ts';
import type { Ticket, TicketStore } from './ticket-store.ts';
import { type RemoteTicket, TicketError, type TicketMark, type TicketSystem } from './ticket-system.ts';

/** The link of a ticket, as an event of the service on the finding. Resolves when it is in the log. */
export type LinkTicket = (
  finding: Pick<TicketFinding, 'id' | 'entityKey'>,
  link: { url: string; label: string },
) => Promise<void>;

export interface KeeperParts {
  webhook: Pick<Webhook, 'id' | 'filter' | 'options'>;
  system: TicketSystem;
  store: Pick<TicketStore, keyof TicketStore>;
  link: LinkTicket;
  publicUrl: string | null;
  clock: () => number;
}

/** A finding whose ticket may have to change. */
export interface KeptFinding {
  id: string;
  /** As it is now; null: it is deleted, or the webhook must not see it. */
  finding: TicketFinding | null;
  mark: Omit<TicketMark, 'requestedAt'>;
}

/** What was done. */
export type Kept = 'opened' | 'closed' | 'reopened' | null;

const HOUR_MS = 60 * 60_000;
const OPENED_PER_HOUR = 60;
const [BAD_REQUEST, TIMEOUT, SERVER_ERROR] = [400, 408, 500];
/** Links must be https, as those of users. */
const LINK = /^https:\/\//;

/**
 * Makes the ticket of a finding what it has to be. What is done follows from the present state and the stored ticket, and
 * every step is stored before and after it: so it can be interrupted anywhere, and repeated.
 */
export class TicketKeeper {
  constructor(private readonly parts: KeeperParts) {}

  /** @throws TicketError, EgressError */
  async keep(kept: KeptFinding): Promise<Kept> {
    const { webhook, store } = this.parts;
    const { id, finding } = kept;
    const ticket = await store.find(webhook.id, id);
    if (finding && keepsTicket(webhook.filter, finding)) return this.keepOpen(finding, ticket, kept);
    return ticket ? this.keepClosed(ticket, kept) : null;
  }

  private async keepOpen(
    finding: TicketFinding,
    ticket: Ticket | undefined,
    { mark }: KeptFinding,
  ): Promise<Kept> {
    const { webhook, store, clock } = this.parts;
    if (ticket?.state === 'open') return null;
    if (ticket?.state !== 'opening') {
      if (!opensTicket(webhook.filter, finding)) return null;
      await this.assertMayOpen();
      await store.begin(webhook.id, finding.id, clock());
    }
    const reopened = ticket && (await this.reopened(finding, ticket));
    const remote = reopened || (await this.foundOrOpened(finding, ticket, markOf(mark, ticket)));
    await store.named(webhook.id, finding.id, remote, clock());
    await this.linkTo(finding, remote);
    await store.opened(webhook.id, finding.id, clock());
    return reopened ? 'reopened' : 'opened';
  }

  /** Null: there is no ticket to open again. */
  private async reopened(finding: TicketFinding, ticket: Ticket): Promise<RemoteTicket | null> {
    // Not known whether it was created.
    if (ticket.state === 'opening' && ticket.key === null) return null;
    const { system, publicUrl } = this.parts;
    return (await system.reopen(ticket, ticketContent(finding, publicUrl))) ? ticket : null;
  }

  private async foundOrOpened(
    finding: TicketFinding,
    ticket: Ticket | undefined,
    mark: TicketMark,
  ): Promise<RemoteTicket> {
    const { webhook, system, store, publicUrl, clock } = this.parts;
    const found = await system.find(mark);
    const content = ticketContent(finding, publicUrl);
    if (found) {
      await system.reopen(found, content);
      return found;
    }
    if (ticket?.state === 'opening') await store.requested(webhook.id, finding.id, clock());
    try {
      return await system.open(content, mark);
    } catch (error) {
      // It is known that there is none: the next attempt begins anew.
      if (isRejection(error)) await store.forget(webhook.id, finding.id);
      throw error;
    }
  }

  private async keepClosed(ticket: Ticket, { id, finding, mark }: KeptFinding): Promise<Kept> {
    const { webhook, system, store, publicUrl, clock } = this.parts;
    if (ticket.state === 'closed') return null;
    const isKnown = ticket.state === 'open' || ticket.key !== null;
    const remote = isKnown ? ticket : await system.find(markOf(mark, ticket));
    if (!remote) {
      await store.forget(webhook.id, id);
      return null;
    }
    await store.named(webhook.id, id, remote, clock());
    // A filter that no longer has the type is no news of the finding.
    const hasEnded = finding === null || !isOpenState(webhook.filter, finding.state);
    const content = finding && hasEnded ? ticketContent(finding, publicUrl) : null;
    await system.close(remote, content, hasEnded ? endOf(finding) : 'Outside the filter');
    // That of an open ticket is in the log, and a user may have detached it since.
    if (finding && ticket.state === 'opening') await this.linkTo(finding, remote);
    await store.closed(webhook.id, id, clock());
    return 'closed';
  }

  /** @throws TicketError until tickets of an hour are fewer than the limit */
  private async assertMayOpen(): Promise<void> {
    const { webhook, store, clock } = this.parts;
    const { openedPerHourMax: max = OPENED_PER_HOUR } = webhook.options;
    const now = clock();
    const { count, first } = await store.openedSince(webhook.id, now - HOUR_MS);
    if (count < max) return;
    throw new TicketError(
      `the limit of ${max} tickets an hour is reached (openedPerHourMax): the others wait`,
      {
        status: null,
        retryAfterMs: (first ?? now) + HOUR_MS - now,
        isOwnLimit: true,
      },
    );
  }

  /** A finding that has the link is not changed. */
  private async linkTo(finding: TicketFinding, { key, url }: RemoteTicket): Promise<void> {
    const { system, link } = this.parts;
    if (key === null || url === null || !LINK.test(url)) return;
    if (finding.tickets.some((ticket) => ticket.url === url)) return;
    await link(finding, { url, label: system.labelOf(key) });
  }
}

/** A ticket that was requested before can be as old as the request. */
const markOf = (mark: KeptFinding['mark'], ticket: Ticket | undefined): TicketMark => ({
  ...mark,
  since: Math.min(mark.since, ticket?.openedAt ?? mark.since),
  requestedAt: ticket?.state === 'opening' ? ticket.changedAt : null,
});

/** The system answered that it did not create the ticket; after a time-out it may have. */
function isRejection(error: unknown): boolean {
  const status = error instanceof TicketError ? error.details.status : null;
  return status !== null && status >= BAD_REQUEST && status < SERVER_ERROR && status !== TIMEOUT;
}
