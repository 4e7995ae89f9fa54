import { channelMessages } from './channel-messages.ts';
import { fittingLines, type PlainMessage } from './plain-message.ts';
import { shortened } from './plain-text.ts';
import type { TicketContent } from './ticket-content.ts';
import { type TicketConnection, ticketRequest } from './ticket-request.ts';
import type { TicketSystem } from './ticket-system.ts';

/** Fields of a section at most. */
const FIELDS_MAX = 10;

/** Messages to a channel of Slack, by an incoming webhook: its address is the secret. */
export function slack(connection: TicketConnection): TicketSystem {
  const post = (body: object) => ticketRequest(connection, { method: 'POST', url: connection.secret, body });
  return channelMessages(
    (title, content) => post(messageOf(title, content)),
    async () => {
      await post({ text: 'Test of the Risk Posture Service. No finding has changed.' });
      return 'a test message was sent to the channel';
    },
  );
}

/** Of a section, in UTF-16 code units. */
const SECTION_LENGTH_MAX = 3_000;
/** Of all sections. Slack states no limit, and rejected 11,341 (slackapi/bolt-js#2867). */
const SECTIONS_LENGTH_MAX = 9_000;

/** A message of lines; the last ones are left out of a long one. @throws TicketError, EgressError */
export async function sendToSlack(connection: TicketConnection, message: PlainMessage): Promise<void> {
  const { title, url } = message;
  const lines = fittingLines(message, (shown) => shown.join('').length <= SECTIONS_LENGTH_MAX);
  const body = {
    ...{ text: escaped(title), unfurl_links: false, unfurl_media: false },
    blocks: [
      { type: 'section', text: plain(title) },
      ...lines.map((one) => ({ type: 'section', text: plain(shortened(one, SECTION_LENGTH_MAX)) })),
      ...(url === null ? [] : [linkTo(url, 'Open')]),
    ],
  };
  await ticketRequest(connection, { method: 'POST', url: connection.secret, body });
}

function messageOf(title: string, { facts, texts, url }: TicketContent): object {
  return {
    text: escaped(title),
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'section', text: plain(title) },
      {
        type: 'section',
        fields: facts.slice(0, FIELDS_MAX).map(({ label, value }) => plain(`${label}: ${value}`)),
      },
      ...texts.map(({ label, value }) => ({
        type: 'section',
        text: plain(shortened(`${label}\n${value}`, SECTION_LENGTH_MAX)),
      })),
      ...(url === null ? [] : [linkTo(url, 'Open the finding')]),
    ],
  };
}

/** The address has no text of a finding. */
const linkTo = (url: string, label: string) => ({
  type: 'section',
  text: { type: 'mrkdwn', text: `<${url}|${label}>` },
});

/** Slack reads no markup, mention or link in it. */
const plain = (text: string) => ({ type: 'plain_text', text, emoji: false });

/** The three characters that mark mentions and links in notifications (Slack: "Escaping text"). */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
