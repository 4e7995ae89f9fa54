import type { Egress } from '#libs/egress';
import { fittingLines, MAIL_NAME, sendMail, sendToSlack, sendToTeams } from '#libs/webhooks';
import { type Attempt, attempt } from '../sending/attempt.ts';
import type { ComposedMessage } from './compose-message.ts';
import type { NotificationChannel } from './notification.ts';
import type { NotificationMail } from './sealed-settings.service.ts';

const MESSAGE_MS_MAX = 30_000;

/** A message on its way. */
export interface OutgoingMessage {
  /** The same in each repetition. */
  id: string;
  channel: NotificationChannel;
  address: string;
  composed: ComposedMessage;
}

/** How it leaves the service. */
export interface MessageOutlet {
  egress: Egress;
  clock: () => number;
  /** Origin of the service; null: it is not known. */
  publicUrl: string | null;
  mail: NotificationMail | null;
  signal: AbortSignal;
}

/** One attempt. @throws EgressError `aborted` if the signal is */
export const sendMessage = (message: OutgoingMessage, outlet: MessageOutlet): Promise<Attempt> =>
  attempt(async () => {
    await post(message, outlet);
    return 'the message was accepted';
  });

async function post(
  { id, channel, address, composed }: OutgoingMessage,
  { egress, clock, publicUrl, mail, signal }: MessageOutlet,
): Promise<void> {
  const connection = { egress, clock, timeoutMs: MESSAGE_MS_MAX, signal };
  const { title, lines, more } = composed;
  const url = publicUrl === null ? null : `${publicUrl}/${composed.link}`;
  if (channel !== 'email') {
    const send = channel === 'slack' ? sendToSlack : sendToTeams;
    return send({ ...connection, url: address, secret: address }, { title, lines, more, url });
  }
  const { url: server, from, user, password } = mail!;
  await sendMail({ ...connection, url: server, secret: password ?? '' }, user ?? undefined, {
    ...{ from, to: [address], subject: title },
    // The same if it is sent again: mail servers drop it.
    messageId: `<${id}@${MAIL_NAME}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    text: `${[...fittingLines(composed), ...(url === null ? [] : ['', url])].join('\n')}\n`,
  });
}
