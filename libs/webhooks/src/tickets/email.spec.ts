import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type EgressOptions, openEgress } from '#libs/egress';
import { MailServer } from '../../../../test/fixtures/tickets/mail-server.ts';
import { TestAuthority } from '../../../../test/support/certificates.ts';
import { ForwardProxy } from '../../../../test/support/forward-proxy.ts';
import { email } from './email.ts';
import type { TicketConnection } from './ticket-request.ts';

const NAME = 'mail.example';
const FROM_TO = { from: 'risk@example.com', to: ['ana@example.com', 'bo@example.com'] };
const USER = { ...FROM_TO, user: 'ana' };

let authority: TestAuthority;
beforeAll(async () => {
  authority = await TestAuthority.create();
});
afterAll(() => authority.remove());

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function serving(names: string[] | null, isSecure = false): Promise<MailServer> {
  const mail = await MailServer.start(names ? await authority.issue(names) : undefined, isSecure);
  closers.push(() => mail.close());
  return mail;
}

function connection(
  url: string,
  secret = '',
  {
    egress: given = {},
    ...more
  }: Partial<Omit<TicketConnection, 'egress'>> & { egress?: Partial<EgressOptions> } = {},
): TicketConnection {
  const egress = openEgress({
    allow: () => ['127.0.0.1'],
    authorities: authority.certificate,
    lookup: async () => [{ address: '127.0.0.1', family: 4 }],
    ...given,
  });
  closers.push(() => egress.close());
  return { egress, url, secret, clock: Date.now, timeoutMs: 10_000, signal: undefined, ...more };
}

describe('e-mail', () => {
  it.each([
    ['STARTTLS', false],
    ['TLS from the start', true],
  ])('is sent with a password by %s', async (_, isSecure) => {
    const mail = await serving([`DNS:${NAME}`], isSecure);
    const system = email(connection(mail.url(NAME), mail.password), USER);
    expect(await system.test()).toBe('the mail server accepted a test message');
    expect(mail.mails).toMatchObject([{ ...FROM_TO, user: 'ana', isEncrypted: true }]);
  });

  it('is encrypted if the server offers it, by the address too', async () => {
    const mail = await serving(['IP:127.0.0.1']);
    await email(connection(mail.url()), FROM_TO).test();
    expect(mail.mails).toMatchObject([{ user: null, isEncrypted: true }]);
  });

  it('is sent without encryption to a server that has none, but not with a password', async () => {
    const mail = await serving(null);
    await email(connection(mail.url(NAME)), FROM_TO).test();
    expect(mail.mails).toMatchObject([{ isEncrypted: false }]);
    await expect(email(connection(mail.url(NAME), mail.password), USER).test()).rejects.toThrow(
      'offers no valid TLS',
    );
    expect(mail.mails).toHaveLength(1);
  });

  it.each([
    ['of another name', ['DNS:other.example'], undefined, false],
    ['of another name, from the start', ['DNS:other.example'], undefined, true],
    ['of an unknown authority', [`DNS:${NAME}`], '', false],
  ])('is not sent to a server with a certificate %s', async (_, names, authorities, isSecure) => {
    const mail = await serving(names, isSecure);
    const given = authorities === undefined ? {} : { authorities };
    const system = email(connection(mail.url(NAME), mail.password, { egress: given }), USER);
    await expect(system.test()).rejects.toThrow(`${NAME}:`);
    expect(mail.mails).toEqual([]);
  });

  it('names what the server rejects, without its text', async () => {
    const mail = await serving([`DNS:${NAME}`]);
    const { host } = new URL(mail.url(NAME));
    await expect(email(connection(mail.url(NAME), 'wrong'), USER).test()).rejects.toThrow(
      `${host} does not accept the user name and password (SMTP status 535)`,
    );
    mail.rejected.add('bo@example.com');
    await expect(email(connection(mail.url(NAME)), FROM_TO).test()).rejects.toThrow(
      `${host} does not accept 1 of the 2 recipients`,
    );
    mail.rejected.add('ana@example.com');
    await expect(email(connection(mail.url(NAME)), FROM_TO).test()).rejects.toThrow(
      `${host} does not accept the sender or the recipients (SMTP status 550)`,
    );
  });

  it('goes through the proxy, which gets the checked address', async () => {
    const mail = await serving([`DNS:${NAME}`]);
    const proxy = await ForwardProxy.listen();
    closers.push(() => proxy.close());
    const { port } = new URL(mail.url(NAME));
    proxy.route = () => ({ port: Number(port) });
    const given = { proxy: proxy.url() };
    await email(connection(mail.url(NAME), mail.password, { egress: given }), USER).test();
    expect(proxy.asked).toEqual([`127.0.0.1:${port}`]);
    expect(mail.mails).toMatchObject([{ user: 'ana', isEncrypted: true }]);
  });

  it('is not sent to an address that is not public', async () => {
    const mail = await serving(null);
    const system = email(connection(mail.url(NAME), '', { egress: { allow: () => [] } }), FROM_TO);
    await expect(system.test()).rejects.toThrow('not a public address');
    expect(mail.mails).toEqual([]);
  });

  it.each([
    ['at once', ''],
    ['in the middle of a reply', '220 mail.exam'],
  ])('says that the server closed the connection %s', async (_, reply) => {
    const server = createServer((socket) => socket.on('error', () => {}).end(reply)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closers.push(() => server.close());
    const url = `smtp://${NAME}:${(server.address() as AddressInfo).port}`;
    await expect(email(connection(url, ''), FROM_TO).test()).rejects.toThrow(
      'closed the connection before it accepted the message',
    );
  });

  it('ends in time, or when it is aborted, if the server says nothing', async () => {
    const server = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closers.push(() => server.close());
    const url = `smtp://${NAME}:${(server.address() as AddressInfo).port}`;
    await expect(email(connection(url, '', { timeoutMs: 50 }), FROM_TO).test()).rejects.toThrow(
      'did not respond in time',
    );
    const stop = new AbortController();
    const sending = email(connection(url, '', { signal: stop.signal, timeoutMs: 600_000 }), FROM_TO).test();
    server.once('connection', () => stop.abort());
    await expect(sending).rejects.toThrow('was aborted');
  });
});
