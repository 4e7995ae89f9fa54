/** Systems whose tickets a webhook can keep; for chats and e-mail, a ticket is a message. */
const TICKET_KINDS = ['github', 'jira', 'slack', 'teams', 'email'] as const;
export type TicketKind = (typeof TICKET_KINDS)[number];

/** What a webhook delivers: signed CloudEvents to a receiver, or tickets of findings to another system. */
export const WEBHOOK_KINDS = ['cloudevents', ...TICKET_KINDS] as const;
export type WebhookKind = (typeof WEBHOOK_KINDS)[number];

/** Settings of a webhook that keeps tickets; which ones a kind has, its system says. */
export interface TicketOptions {
  /** Tickets opened in an hour, also again; further ones wait. 1 to 1000; omitted: 60. */
  openedPerHourMax?: number;
  /** GitHub and Jira: labels of new issues; those of Jira have no spaces. */
  labels?: string[];
  /** Slack and Teams: how lists name the channel; the address does not say. */
  channel?: string;
  /** Jira: key of the project. */
  project?: string;
  /** Jira: name of the type of new issues. */
  issueType?: string;
  /** Jira: name of the resolution to set when an issue is closed by a transition that has one. */
  resolution?: string;
  /** Jira: e-mail address of the account. E-mail: user name at the mail server, if it requires one. */
  user?: string;
  /** E-mail: address of the sender. */
  from?: string;
  /** E-mail: addresses of the recipients. */
  to?: string[];
}

/** The options of each kind, besides `openedPerHourMax`. */
export const OPTIONS_OF: Record<TicketKind, readonly (keyof TicketOptions)[]> = {
  github: ['labels'],
  jira: ['user', 'project', 'issueType', 'labels', 'resolution'],
  slack: ['channel'],
  teams: ['channel'],
  email: ['from', 'to', 'user'],
};

/** For the log, which keeps what it has for ever: the number of recipients, and no e-mail address. */
export const withoutAddresses = ({ to, from: _, user: __, ...others }: TicketOptions): object => ({
  ...others,
  ...(to && { recipients: to.length }),
});

export const isTicketKind = (kind: WebhookKind): kind is TicketKind => kind !== 'cloudevents';

/** The secret belongs to an account, `options.user`, at the address `url`; that of e-mail only if there is one. */
export const hasAccount = (kind: WebhookKind): boolean => kind === 'jira' || kind === 'email';

/** Those of them that a webhook must have. */
export const REQUIRED_OPTIONS: Record<TicketKind, readonly (keyof TicketOptions)[]> = {
  github: [],
  jira: ['user', 'project', 'issueType'],
  slack: [],
  teams: [],
  email: ['from', 'to'],
};

/** The secret is the whole address, so that only its origin is shown. */
export const hasSecretAddress = (kind: WebhookKind): boolean => kind === 'slack' || kind === 'teams';

/** Its tickets have numbers of the system at the URL, so that the URL cannot change. */
export const hasFixedUrl = (kind: WebhookKind): boolean => kind === 'github' || kind === 'jira';
