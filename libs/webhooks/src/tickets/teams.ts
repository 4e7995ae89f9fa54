import { channelMessages } from './channel-messages.ts';
import { fittingLines, type PlainMessage } from './plain-message.ts';
import type { TicketContent } from './ticket-content.ts';
import { type TicketConnection, ticketRequest } from './ticket-request.ts';
import type { TicketSystem } from './ticket-system.ts';

/** Teams accepts about 28 KB; a longer card is sent without its texts. */
const MESSAGE_BYTES_MAX = 20_000;

/** Messages to a channel or chat of Microsoft Teams, by the webhook of a workflow: its address is the secret. */
export function teams(connection: TicketConnection): TicketSystem {
  const post = (card: object) =>
    ticketRequest(connection, { method: 'POST', url: connection.secret, body: messageOf(card) });
  return channelMessages(
    (title, content) => post(teamsCard(title, content)),
    async () => {
      await post(cardOf([line({ text: 'Test of the Risk Posture Service. No finding has changed.' })]));
      return 'the workflow accepted a test message: look for it in the channel';
    },
  );
}

/** A message of lines; the last ones are left out of a long one. @throws TicketError, EgressError */
export async function sendToTeams(connection: TicketConnection, message: PlainMessage): Promise<void> {
  const { title, url } = message;
  const bodyOf = (shown: readonly string[]) => {
    const texts = shown.map((text) => line({ text }));
    return messageOf(
      cardOf([line({ text: title, weight: 'Bolder', size: 'Medium' }), ...texts], url, 'Open'),
    );
  };
  const lines = fittingLines(
    message,
    (shown) => Buffer.byteLength(JSON.stringify(bodyOf(shown))) <= MESSAGE_BYTES_MAX,
  );
  await ticketRequest(connection, { method: 'POST', url: connection.secret, body: bodyOf(lines) });
}

/** The form that workflows expect: a message with one card. */
const messageOf = (content: object): object => ({
  type: 'message',
  attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
});

/** The Adaptive Card of a finding. */
function teamsCard(title: string, { facts, texts, url }: TicketContent): object {
  const card = (shown: TicketContent['texts']) =>
    cardOf(
      [
        line({ text: title, weight: 'Bolder', size: 'Medium' }),
        ...facts.map(({ label, value }) => line({ text: `${label}: `, weight: 'Bolder' }, { text: value })),
        ...shown.flatMap(({ label, value }) => [
          line({ text: label, weight: 'Bolder' }),
          line({ text: value, fontType: 'Monospace' }),
        ]),
      ],
      url,
    );
  const whole = card(texts);
  return Buffer.byteLength(JSON.stringify(whole)) <= MESSAGE_BYTES_MAX ? whole : card([]);
}

const cardOf = (body: object[], url: string | null = null, label = 'Open the finding'): object => ({
  $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
  type: 'AdaptiveCard',
  version: '1.4',
  body,
  ...(url !== null && { actions: [{ type: 'Action.OpenUrl', title: label, url }] }),
});

interface Run {
  text: string;
  weight?: 'Bolder';
  size?: 'Medium';
  fontType?: 'Monospace';
}

/** Rich text has no Markdown, unlike text blocks and facts. */
const line = (...runs: Run[]): object => ({
  type: 'RichTextBlock',
  inlines: runs.flatMap(({ text, ...form }) =>
    plainParts(text).map((part) => ({ type: 'TextRun', text: part, ...form })),
  ),
});

/**
 * Cards replace `{{DATE(…)}}` and `{{TIME(…)}}` in every text: no part contains their beginning. Other braces stay
 * together, because a run has 30 bytes and more.
 */
const plainParts = (text: string): string[] =>
  text.split(/(?<=\{)(?=\{\s*(?:DATE|TIME))/i).filter((part) => part !== '');
