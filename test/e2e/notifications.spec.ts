import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MailServer } from '../fixtures/tickets/mail-server.ts';
import { ApiClient, plainSignal, zipOf } from '../support/api-client.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { StartedStandalone } from '../support/started-standalone.ts';
import { until } from '../support/until.ts';

const PATH = '/api/v3/notifications';

let database: TestDatabase;
let service: StartedStandalone;
let admin: ApiClient;
let ana: { username: string; password: string };
let mail: MailServer;
let findingId: string;

beforeAll(async () => {
  [database, mail] = await Promise.all([testDatabase(), MailServer.start()]);
  await start();
  await send('PATCH', '/api/v3/settings', { egressAllow: ['127.0.0.1'] });
  const { body } = await admin.zip(await zipOf({ 'a.json': plainSignal('weak', 'web01') }));
  await admin.folded(body.uploadId);
  findingId = (await admin.all('/api/v3/findings'))[0]!.id;
  const { password } = await send('POST', '/api/v3/credentials', { username: 'ana', role: 'viewer' });
  ana = { username: 'ana', password };
  await send('PATCH', '/api/v3/notification-settings', {
    email: { url: mail.url(), from: 'risk@example.com', domains: ['example.com'] },
  });
  await send(
    'PATCH',
    `${PATH}/preferences`,
    { channel: 'email', address: 'ana@example.com' },
    await signIn(),
  );
}, 120_000);
afterAll(async () => {
  await mail.close();
  await service.stopAndRemove();
  await database.drop();
});

async function start(): Promise<void> {
  service = await StartedStandalone.start(service?.dataDir, { DATABASE_URL: database.url });
  admin = await service.client();
}

const signIn = () => ApiClient.signIn(service.url, ana);

async function send(method: string, path: string, body: object = {}, client = admin): Promise<any> {
  const { status, body: answer } = await client.request(method, path, JSON.stringify(body));
  if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${answer.message}`);
  return answer;
}

const mention = () => send('POST', `/api/v3/findings/${findingId}/comments`, { text: 'see this, @ana' });
const count = async () => (await (await signIn()).get(PATH)).items.length;
/** The time of gathering has passed. */
const makeDue = () =>
  database.pool.query(
    `update notification_people set next_message_at = now() - interval '1 s' where next_message_at is not null`,
  );
const lastMessage = async () => (await (await signIn()).get(`${PATH}/preferences`)).lastMessage;

describe('notifications of the started service (R-NOTE-2, R-NOTE-7)', () => {
  it('are written once and sent once', async () => {
    await mention();
    await until('it is written', async () => (await count()) === 1);
    await makeDue();
    await until('it is sent', async () => (await lastMessage())?.status === 'sent');
    expect(mail.mails).toMatchObject([{ to: ['ana@example.com'] }]);
    expect(service.log).not.toMatch(/ana@example\.com/);
  }, 60_000);

  it('are neither lost nor doubled by a kill after the act, before the message, and while it is sent', async () => {
    const before = mail.mails.length;
    await mention();
    await service.kill();
    await start();
    await until('it is written', async () => (await count()) === 2);
    // Written, and not sent yet.
    await service.kill();
    const release = mail.hold();
    await makeDue();
    await start();
    await until('it is being sent', () => mail.held > 0);
    await service.kill();
    release();
    await database.pool.query(
      `update notification_messages set next_attempt_at = now() where status = 'pending'`,
    );
    await start();
    await until('it is sent', async () => (await lastMessage())?.status === 'sent');
    expect(await count()).toBe(2);
    const idOf = (text: string) => /message-id: *(\S+)/i.exec(text)?.[1];
    const sent = mail.mails.slice(before);
    // A mail server that has taken a message drops the second copy by its id.
    expect(new Set(sent.map(({ text }) => idOf(text))).size).toBe(1);
    await mention();
    await until('the next one is written', async () => (await count()) === 3);
  }, 120_000);
});
