import { createTransport, type SendMailOptions } from 'nodemailer';
import { EgressError, hostOf } from '#libs/egress';
import { type Html, html } from '#libs/html';
import type { TicketContent } from './ticket-content.ts';
import type { TicketOptions } from './ticket-kinds.ts';
import type { TicketConnection } from './ticket-request.ts';
import { type RemoteTicket, TicketError, type TicketSystem } from './ticket-system.ts';

/** By which the service introduces itself, and the domain of its Message-IDs: it has no public address. */
export const MAIL_NAME = 'risk-posture-service';
/** Of submission (RFC 8314). */
const PORTS = { 'smtp:': 587, 'smtps:': 465 } as Record<string, number>;

/** Messages to people by SMTP. The webhook's URL is that of the mail server. */
export function email(
  connection: TicketConnection,
  { user, from = '', to = [] }: TicketOptions,
): TicketSystem {
  const post = (message: SendMailOptions) => sendMail(connection, user, { from, to, ...message });
  const say = (what: string, content: TicketContent, message: SendMailOptions) =>
    post({ ...message, ...mailOf(`${what}: ${content.title}`, content) });
  const replyTo = (key: string | null): SendMailOptions =>
    key === null ? {} : { inReplyTo: key, references: [key] };
  return {
    find: async () => null,
    async open(content, { text }): Promise<RemoteTicket> {
      // The same if it is sent again: mail servers drop it.
      const messageId = `<${text}@${MAIL_NAME}>`;
      await say('New', content, { messageId });
      return { key: messageId, url: null };
    },
    async close({ key }, content, end) {
      if (content) await say(end, content, replyTo(key));
    },
    reopen: ({ key }, content) => say('Failed again', content, replyTo(key)).then(() => true),
    labelOf: (key) => key,
    async test() {
      const rejected = await post({
        subject: 'Test of the Risk Posture Service',
        text: 'No finding has changed.\n',
      });
      if (rejected === 0) return 'the mail server accepted a test message';
      const { host } = new URL(connection.url);
      throw new TicketError(`${host} does not accept ${rejected} of the ${to.length} recipients`, {
        status: null,
      });
    },
  };
}

/**
 * One message by one connection. Returns how many of the recipients the mail server rejected; it accepted one at least.
 * @throws TicketError, EgressError
 */
export async function sendMail(
  { egress, url, secret, timeoutMs, signal }: TicketConnection,
  user: string | undefined,
  message: SendMailOptions,
): Promise<number> {
  const parsed = new URL(url);
  const { protocol, port, host: who } = parsed;
  const host = hostOf(parsed);
  const { socket, tls } = await egress.connect({ host, port: Number(port) || PORTS[protocol]! });
  // Between the steps of the library nothing else handles it.
  socket.on('error', () => {});
  let isLate = false;
  const stop = () => socket.destroy();
  const timer = setTimeout(() => {
    isLate = true;
    stop();
  }, timeoutMs);
  signal?.addEventListener('abort', stop);
  if (signal?.aborted) stop();
  try {
    // The library waits for a greeting if it was closed before.
    if (socket.destroyed) throw Object.assign(new Error('closed'), { code: 'ECONNECTION' });
    const transport = createTransport({
      ...{ connection: socket, host, name: MAIL_NAME, tls },
      secure: protocol === 'smtps:',
      // A password never goes over a connection that is not encrypted.
      requireTLS: user !== undefined,
      ...(user !== undefined && { auth: { user, pass: secret } }),
      ...{ greetingTimeout: timeoutMs, socketTimeout: timeoutMs },
      ...{ disableFileAccess: true, disableUrlAccess: true },
    });
    const { rejected } = await transport.sendMail(message);
    return rejected.length;
  } catch (error) {
    if (signal?.aborted) throw new EgressError('aborted', `the message to ${who} was aborted`);
    throw mailError(isLate ? { code: 'ETIMEDOUT' } : (error as MailFailure), who);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    stop();
  }
}

interface MailFailure {
  code?: string;
  responseCode?: number;
}

/** Without the text of the server. */
function mailError({ code, responseCode }: MailFailure, host: string): TicketError {
  const status = responseCode ? ` (SMTP status ${responseCode})` : '';
  const messages: Record<string, string> = {
    EAUTH: `${host} does not accept the user name and password${status}`,
    EENVELOPE: `${host} does not accept the sender or the recipients${status}`,
    EMESSAGE: `${host} did not accept the message${status}`,
    ETLS: `${host} offers no valid TLS: check its certificate and the port`,
    ECONNECTION: `${host} closed the connection before it accepted the message`,
    ESOCKET: `${host} closed the connection, or has a certificate that is not valid`,
    ETIMEDOUT: `${host} did not respond in time`,
  };
  return new TicketError(messages[code ?? ''] ?? `${host} did not accept the message${status}`, {
    status: null,
  });
}

/** The content of a message: its texts are escaped. */
export function mailOf(title: string, { facts, texts, url }: TicketContent): SendMailOptions {
  const rows = facts.map(
    ({ label, value }) => html`<tr><th align="left">${label}</th><td>${value}</td></tr>`,
  );
  const parts = texts.map(({ label, value }) => html`<h3>${label}</h3><pre>${value}</pre>`);
  const link: Html | string = url === null ? '' : html`<p><a href="${url}">Open the finding</a></p>`;
  const page = html`<!doctype html><html><body><h2>${title}</h2><table>${rows}</table>${parts}${link}</body></html>`;
  const lines = [
    ...facts.map(({ label, value }) => `${label}: ${value}`),
    ...texts.map(({ label, value }) => `\n${label}\n${value}`),
    ...(url === null ? [] : [`\n${url}`]),
  ];
  return { subject: title, text: `${lines.join('\n')}\n`, html: page.text };
}
