import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { attachmentOf } from '../fixtures/reports/mail-parts.ts';
import { MailServer } from '../fixtures/tickets/mail-server.ts';
import { type ApiClient, plainSignal, zipOf } from '../support/api-client.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { StartedStandalone } from '../support/started-standalone.ts';
import { until } from '../support/until.ts';
import { type Reception, WebhookReceiver } from '../support/webhook-receiver.ts';

const PATH = '/api/v3/report-schedules';

let database: TestDatabase;
let service: StartedStandalone;
let client: ApiClient;
let mail: MailServer;
let receiver: WebhookReceiver;

beforeAll(async () => {
  [database, receiver, mail] = await Promise.all([
    testDatabase(),
    WebhookReceiver.start(),
    MailServer.start(),
  ]);
  await start();
  await send('PATCH', '/api/v3/settings', { egressAllow: ['127.0.0.1'] });
  const { body } = await client.zip(await zipOf({ 'a.json': plainSignal('weak', 'web01') }));
  await client.folded(body.uploadId);
}, 120_000);
afterAll(async () => {
  receiver.close();
  await mail.close();
  await service.stopAndRemove();
  await database.drop();
});

async function start(): Promise<void> {
  service = await StartedStandalone.start(service?.dataDir, { DATABASE_URL: database.url });
  client = await service.client();
}

async function send(method: string, path: string, body: object = {}): Promise<any> {
  const { status, body: answer } = await client.request(method, path, JSON.stringify(body));
  if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${answer.message}`);
  return answer;
}

const add = (given: object) =>
  send('POST', PATH, {
    name: 'Monthly',
    report: 'board',
    cron: '0 8 1 * *',
    timeZone: 'Europe/Berlin',
    ...given,
  });
const sent = (id: string, count: number) =>
  until(`${count} sent`, async () => {
    const { items } = await client.get(`${PATH}/${id}/deliveries`);
    return items.filter(({ status }: any) => status === 'sent').length === count;
  });
/** Its next time has come a moment ago. A change by a request lets the gateway look at once. */
async function makeDue(id: string): Promise<void> {
  await database.pool.query(
    `update report_schedules set next_at = date_trunc('second', now()) - interval '2 s' where id = $1`,
    [id],
  );
  const { status } = await client.request('PATCH', `${PATH}/${id}`, JSON.stringify({ name: 'Due' }));
  expect(status).toBe(200);
}

describe('scheduled reports of the started service', () => {
  it('are sent when they are due, once, and again at the next time only', async () => {
    const { id, next } = await add({
      email: { url: mail.url(), from: 'risk@example.com', to: ['board@example.com'] },
      webhook: { url: receiver.url },
    });
    await makeDue(id);
    await sent(id, 2);
    expect(mail.mails).toHaveLength(1);
    expect(attachmentOf(mail.mails[0]!.text).content.toString()).toContain('<h1>Board report</h1>');
    expect(receiver.events).toMatchObject([{ type: 'posture.report.board', subject: id }]);
    expect((await client.get(`${PATH}/${id}`)).next).toEqual(next);
    expect(service.log).not.toMatch(/board@example\.com/);
  }, 60_000);

  it.each<['kill' | 'stop', string]>([
    ['kill', 'when its lease has ended'],
    ['stop', 'at once'],
  ])(
    'after a %s while one is sent, it is sent again under its id, %s',
    async (how) => {
      const { id } = await add({ webhook: { url: receiver.url } });
      const before = receiver.received.length;
      receiver.receive = (): Reception => 'silent';
      await makeDue(id);
      await until('the first attempt', () => receiver.received.length === before + 1);
      if (how === 'kill') {
        await service.kill();
        await database.pool.query('update report_deliveries set next_attempt_at = now()');
      } else {
        await service.stop();
      }
      receiver.receive = () => ({ status: 204 });
      await start();
      await sent(id, 1);
      const [first, second] = receiver.received.slice(before);
      expect(receiver.received).toHaveLength(before + 2);
      expect([second!.id, second!.body.equals(first!.body)]).toEqual([first!.id, true]);
    },
    60_000,
  );
});
