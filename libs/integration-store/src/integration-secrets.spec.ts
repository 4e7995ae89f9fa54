import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Integration } from '#libs/domain';
import { Vault } from '#libs/vault';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { IntegrationSecrets } from './integration-secrets.ts';

const [OLD, NEW] = [Buffer.from('an older secret of the site'), Buffer.from('a newer secret of the site')];

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const secretsUnder = (...keys: Buffer[]) => new IntegrationSecrets(database.db, new Vault(keys));

let made = 0;
const edr = (config: Record<string, unknown> = {}, id?: string): Integration => ({
  version: 1,
  id: id ?? `00000000-0000-4000-8000-${String(++made).padStart(12, '0')}`,
  type: 'edrplugin',
  subType: 'falcon',
  name: 'EDR',
  source: 'EDR',
  config: { url: 'https://edr.example', clientId: 'client', ...config },
  createdAt: 0,
});
const rowsOf = ({ id }: Integration) =>
  database.db.selectFrom('integration_secrets').selectAll().where('integration_id', '=', id).execute();

describe('secrets of integrations (R-KEY-3)', () => {
  it('are stored sealed, open for their integration, and go with it', async () => {
    const [one, other, secrets] = [edr(), edr(), secretsUnder(NEW)];
    await secrets.put(one, { clientSecret: 'hunter2' });
    expect(JSON.stringify(await rowsOf(one))).not.toContain('hunter2');
    const opened = await secrets.openAll([one, other]);
    expect(opened.get(one.id)).toEqual({ secrets: { clientSecret: 'hunter2' }, missing: [] });
    expect(opened.get(other.id)).toMatchObject({ secrets: {}, missing: [{ field: 'clientSecret' }] });
    await secrets.put(one, { clientSecret: 'hunter3' });
    expect((await secrets.open(one)).secrets).toEqual({ clientSecret: 'hunter3' });
    await secrets.forget(one.id);
    expect(await rowsOf(one)).toEqual([]);
  });

  it('stay as a later version of the integration has them, in any order of writes', async () => {
    const [one, secrets] = [edr(), secretsUnder(NEW)];
    await secrets.put({ ...one, version: 3 }, { clientSecret: 'third' });
    await secrets.put({ ...one, version: 2 }, { clientSecret: 'second' });
    expect((await secrets.open(one)).secrets).toEqual({ clientSecret: 'third' });
  });

  it.each([
    ['another address', { url: 'https://elsewhere.example' }],
    ['another account', { clientId: 'another' }],
  ])('do not open for %s than the one that they were given for', async (_, changed) => {
    const [one, secrets] = [edr(), secretsUnder(NEW)];
    await secrets.put(one, { clientSecret: 'hunter2' });
    expect(await secrets.open(edr(changed, one.id))).toEqual({
      secrets: {},
      missing: [{ field: 'clientSecret', message: expect.stringMatching(/a different address or account/) }],
    });
    expect((await secrets.open(edr({ tagFilters: ['x'] }, one.id))).missing).toEqual([]);
  });

  it('open for the former address too while a change of it may be refused', async () => {
    const [one, secrets] = [edr(), secretsUnder(NEW)];
    const moved = edr({ url: 'https://elsewhere.example' }, one.id);
    const former = { integration: one, secrets: { clientSecret: 'hunter2' } };
    await secrets.put(moved, { clientSecret: 'hunter3' }, former);
    expect((await secrets.open(one)).secrets).toEqual({ clientSecret: 'hunter2' });
    expect((await secrets.open(moved)).secrets).toEqual({ clientSecret: 'hunter3' });
    expect((await secrets.open(edr({ clientId: 'another' }, one.id))).secrets).toEqual({});
    await secrets.put(moved, { clientSecret: 'hunter4' });
    expect((await secrets.open(one)).secrets).toEqual({});
  });

  it('do not open for another integration that their row is moved to', async () => {
    const [one, other, secrets] = [edr(), edr(), secretsUnder(NEW)];
    await secrets.put(one, { clientSecret: 'hunter2' });
    await database.db
      .updateTable('integration_secrets')
      .set({ integration_id: other.id })
      .where('integration_id', '=', one.id)
      .execute();
    expect(await secrets.open(other)).toEqual({
      secrets: {},
      missing: [{ field: 'clientSecret', message: expect.stringMatching(/was changed/) }],
    });
  });

  it('are encrypted again with a new secret key when they are read: the old key is not needed after that', async () => {
    const one = edr();
    await secretsUnder(OLD).put(one, { clientSecret: 'hunter2' });
    expect((await secretsUnder(NEW).open(one)).missing[0]!.message).toMatch(/POSTURE_PREVIOUS_SECRET_KEY/);
    expect((await secretsUnder(NEW, OLD).open(one)).missing).toEqual([]);
    expect((await secretsUnder(NEW).open(one)).secrets).toEqual({ clientSecret: 'hunter2' });
  });
});
