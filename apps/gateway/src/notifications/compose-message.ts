import { clipped, line } from '#libs/webhooks';
import { readReceiverUrl, shownUrl } from '../webhooks/receiver-url.ts';
import type { NotificationKind, NotificationRow, NotifiedFinding, NotifiedSubject } from './notification.ts';

/** A notification with what is read when it is shown. */
export interface ToldNotification extends Pick<NotificationRow, 'kind' | 'findings'> {
  /** Null: the service, or a person that is not known any more. */
  by: string | null;
  /** The first of its findings that the person sees. */
  finding: NotifiedFinding | null;
  /** What it is about; null: findings. */
  subject: NotifiedSubject | null;
}

/** A message as every channel sends it. */
export interface ComposedMessage {
  title: string;
  lines: string[];
  /** How many further notifications it has no lines of. */
  more: number;
  /** In the console: path after its address. */
  link: string;
}

/** A message has this many lines at most. */
export const LINES_MAX = 30;
const LINE_CHARACTERS_MAX = 1_000;
const TITLE_CHARACTERS_MAX = 200;

/**
 * One sentence a notification, newest first.
 * @param notifications some of them, the newest: `LINES_MAX` are enough
 * @param count of all
 */
export function composeMessage(
  notifications: readonly ToldNotification[],
  count = notifications.length,
): ComposedMessage {
  const sentences = notifications.map(sentenceOf);
  const [only] = notifications;
  const isOne = count === 1;
  return {
    title: isOne ? clipped(sentences[0]!, TITLE_CHARACTERS_MAX) : `${count} notifications`,
    lines: sentences.slice(0, LINES_MAX),
    more: Math.max(0, count - LINES_MAX),
    link: isOne ? linkOf(only!) : 'app/notifications',
  };
}

function linkOf({ findings, finding, subject }: ToldNotification): string {
  if (subject) return LINKS[subject.type](subject.id);
  return findings === 1 && finding ? `app/findings/${finding.id}` : 'app/notifications';
}

const LINKS: Record<NotifiedSubject['type'], (id: string) => string> = {
  integration: (id) => `app/integrations/${id}`,
  webhook: (id) => `app/settings/webhooks?webhook=${id}`,
  reportSchedule: (id) => `app/settings/reports?schedule=${id}`,
};

/** Lines of a test message. */
export const TEST_MESSAGE: ComposedMessage = {
  title: 'Test of your notifications',
  lines: ['Your notifications are sent to this address. Nothing has changed.'],
  more: 0,
  link: 'app/notifications/preferences',
};

const SENTENCES: Record<NotificationKind, (by: string, what: string, isOne: boolean) => string> = {
  mentioned: (by, what) => `${by} mentioned you in a comment on ${what}.`,
  assigned: (by, what) => `${by} assigned ${what} to you or a team that you follow.`,
  commented: (by, what) => `${by} commented on ${what}, for which you are responsible.`,
  overdue: (_, what, isOne) => `${what} ${isOne ? 'is' : 'are'} overdue.`,
  dueSoon: (_, what, isOne) => `${what} ${isOne ? 'is' : 'are'} due within 7 days.`,
  acceptanceEnding: (_, what) => `The acceptance of ${what} ends within 7 days.`,
  syncFailed: (_, what) => `The sync of ${what} fails`,
  syncRecovered: (_, what) => `The sync of ${what} works again`,
  webhookStopped: (_, what) => `The webhook to ${what} was stopped`,
  reportFailed: (_, what) => `The scheduled report ${what} was not sent`,
  scheduleStopped: (_, what) => `The report schedule ${what} was stopped`,
};

export function sentenceOf(told: ToldNotification): string {
  const { kind, by, findings, finding, subject } = told;
  if (subject) {
    const sentence = SENTENCES[kind]('', nameOf(subject), true);
    return shown(subject.reason === null ? `${sentence}.` : `${sentence}: ${subject.reason}`);
  }
  const name = finding === null ? 'a finding' : `${finding.name} on ${finding.assetName}`;
  const what = findings === 1 ? name : `${findings} findings, such as ${name}`;
  return shown(SENTENCES[kind](by ?? 'A user', what, findings === 1));
}

/** Names and reasons come from scanners and other systems, as the texts of tickets. */
const shown = (sentence: string): string => line(sentence, LINE_CHARACTERS_MAX);

/** Path and query of an address can contain the token of a receiver: messages leave the service. */
function nameOf({ type, name }: NotifiedSubject): string {
  const url = type === 'webhook' ? readReceiverUrl(name) : null;
  return url === null ? name : shownUrl(url);
}
