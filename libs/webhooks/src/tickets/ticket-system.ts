import type { TicketContent } from './ticket-content.ts';

/** A ticket at the other system; both null: it cannot be found again, such as a message. */
export interface RemoteTicket {
  /** As the other system names it. */
  key: string | null;
  /** For browsers. */
  url: string | null;
}

/** How to find the ticket of a finding whose creation was interrupted. */
export interface TicketMark {
  /** Of this finding only, and not to be guessed. */
  text: string;
  /** Texts of tickets that were created with previous secret keys of the site. */
  formerTexts: readonly string[];
  /** When the ticket can have been created at the earliest, epoch ms. */
  since: number;
  /** When it was last requested with an unknown result, epoch ms; null: it was not. */
  requestedAt: number | null;
}

/**
 * A system that tickets are kept in. Every method is one attempt, and throws `TicketError` or `EgressError` if it fails.
 */
export interface TicketSystem {
  /**
   * The ticket with a mark; null: there is none, or the system cannot tell. Fails while a ticket that was requested can
   * be missing in what the system lists.
   */
  find(mark: TicketMark): Promise<RemoteTicket | null>;
  open(content: TicketContent, mark: TicketMark): Promise<RemoteTicket>;
  /** Closes a ticket. One that is closed or deleted stays so. @param end why, as one word */
  close(ticket: Pick<RemoteTicket, 'key'>, content: TicketContent | null, end: string): Promise<void>;
  /** Opens it again. False: it is deleted. */
  reopen(ticket: Pick<RemoteTicket, 'key'>, content: TicketContent): Promise<boolean>;
  /** A short name for people, such as `owner/repository#12`. */
  labelOf(key: string): string;
  /** Tries the configuration. Returns a sentence that says what it did. */
  test(): Promise<string>;
}

/** The other system did not do what it was asked to. The message contains no text of its answer. */
export class TicketError extends Error {
  override name = 'TicketError';

  constructor(
    message: string,
    readonly details: {
      /** Of HTTP; null: it is another protocol. */
      status: number | null;
      /** It asks to wait so long; null: it does not. */
      retryAfterMs?: number | null;
      /** It will never do it: the webhook is paused. */
      isFinal?: boolean;
      /** It was not asked yet, because of a limit of this service: only this finding waits. */
      isOwnLimit?: boolean;
      /** It rejects what concerns this finding; requests about others can succeed. */
      isOfFinding?: boolean;
    },
  ) {
    super(message);
  }
}
