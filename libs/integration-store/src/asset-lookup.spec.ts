import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { encodeIntake } from '#libs/contracts';
import type { EntityDescription, IntakeEvent } from '#libs/domain';
import { PostgresEventLog } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import { Projection } from '#libs/projection';
import { EventSealer, subjectOfKey } from '#libs/sealing';
import { SubjectKeys } from '#libs/subject-keys';
import { Vault } from '#libs/vault';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { described, entity, event, T0, upload } from '../../../test/support/scenario.ts';
import { assetLookup } from './asset-lookup.ts';
import { deviceLookup } from './device-lookup.ts';

const vault = new Vault([randomBytes(32)]);
let database: TestDatabase;
let log: PostgresEventLog;
beforeAll(async () => {
  database = await testDatabase();
  log = new PostgresEventLog({ url: database.url, partitions: 1 });
  await onboard(1, 'machine:web01', [
    { name: 'web01.a.example', hostname: 'web01', fqdn: 'web01.a.example' },
    { name: 'web01.b.example', hostname: 'web01', fqdn: 'web01.b.example' },
  ]);
  await onboard(2, 'machine:db01', [{ name: 'DB01.a.example', hostname: 'DB01', fqdn: 'DB01.a.example' }]);
});
afterAll(async () => {
  await log.close();
  await database.drop();
});

async function onboard(
  n: number,
  entityKey: string,
  machines: Partial<EntityDescription>[],
  deviceId: string | null = null,
): Promise<void> {
  const assetRules = { matching: 'fqdn', importAssets: true, updateMetadata: true } as const;
  const payloads = machines.map((given) => described({ entity: entity(given), assetRules, deviceId }));
  await append(entityKey, upload(n, T0, payloads, { entityKey }));
}

async function append(entityKey: string, events: IntakeEvent[]): Promise<void> {
  const records = events.map((event) => ({ key: entityKey, value: encodeIntake(event) }));
  await log.append(INTAKE_TOPIC, records);
  const projection = new Projection(database.db);
  const [end] = await log.ends(INTAKE_TOPIC);
  for (let next = await projection.open(0); next < end!; ) {
    for await (const read of log.read(INTAKE_TOPIC, 0, next, end!)) next = await projection.project(read);
  }
}

const found = async (...names: string[]) =>
  [...(await assetLookup(database.db, new EventSealer(null))(names))].map(([name, { fqdn }]) => [name, fqdn]);

it('an asset is found by name, FQDN and host name, under the requested name (R-INV-4)', async () => {
  expect(await found('db01', 'db01.A.example', 'nobody')).toEqual([
    ['db01', 'DB01.a.example'],
    ['db01.A.example', 'DB01.a.example'],
  ]);
});

it('the asset has the fields that the inventory needs', async () => {
  expect((await assetLookup(database.db, new EventSealer(null))(['db01'])).get('db01')).toEqual({
    id: expect.any(String),
    fqdn: 'DB01.a.example',
    attackSurface: 'Infrastructure',
  });
});

it('a host name of several live assets matches none of them', async () => {
  expect(await found('web01', 'WEB01.a.example', 'web01.b.example')).toEqual([
    ['WEB01.a.example', 'web01.a.example'],
    ['web01.b.example', 'web01.b.example'],
  ]);
  await database.pool.query(`update assets set deleted_at = now() where name = 'web01.b.example'`);
  expect(await found('web01', 'web01.b.example')).toEqual([['web01', 'web01.a.example']]);
});

it('a sealed machine is found by its name alone, and a look-up makes no subject (R-ERASE-7)', async () => {
  const sealer = new EventSealer(new SubjectKeys(database.db, vault), '*-laptop');
  const seals = await sealer.sealsFor(['machine:ana-laptop']);
  const key = seals.entityKeyOf('machine:ana-laptop');
  const name = seals.textOf('machine:ana-laptop', 'ana-laptop', 'name');
  await onboard(3, key, [{ name, hostname: name, fqdn: null }]);
  const subjects = async () => (await database.pool.query('select subject from subject_keys')).rows;
  const before = await subjects();
  const forged = `~${subjectOfKey(key)}`;
  const names = await assetLookup(database.db, sealer)(['Ana-Laptop', 'ben-laptop', forged, 'db01']);
  expect([...names.keys()]).toEqual(['Ana-Laptop', 'db01']);
  expect(await subjects()).toEqual(before);
});

it('the asset of a device has the name that distinguishes it, also if it is sealed', async () => {
  const sealer = new EventSealer(new SubjectKeys(database.db, vault), '*-phone');
  const seals = await sealer.sealsFor(['machine:ana-phone']);
  const name = seals.textOf('machine:ana-phone', 'ana-phone', 'name');
  await onboard(4, seals.entityKeyOf('machine:ana-phone'), [{ name, hostname: name, fqdn: null }], 'phone');
  await onboard(5, 'machine:app01', [{ name: 'app01', hostname: 'app01', fqdn: 'app01.a.example' }], 'app');
  await onboard(6, 'machine:old01', [{ name: 'old01', hostname: 'old01', fqdn: null }], 'old');
  const twice = ['twice01', 'twice02'];
  for (const [i, host] of twice.entries()) {
    await onboard(7 + i, `machine:${host}`, [{ name: host, hostname: host, fqdn: null }], 'twice');
  }
  await onboard(10, 'machine:web02', [{ name: 'web02', hostname: 'web02', fqdn: 'shop.a.example' }], 'shop');
  await database.pool.query(`update assets set deleted_at = now() where name = 'old01'`);
  const devices = ['phone', 'app', 'old', 'twice', 'shop', 'unknown'];
  const lookup = deviceLookup(database.db, sealer);
  expect([...(await lookup('inventory', devices))].sort()).toEqual([
    ['app', 'app01.a.example'],
    ['phone', 'ana-phone'],
    ['shop', 'web02'],
  ]);
  expect(await lookup('another', devices)).toEqual(new Map());
});

it('an erased asset is not the asset of its device (R-ERASE-4)', async () => {
  const keys = new SubjectKeys(database.db, vault);
  const sealer = new EventSealer(keys, '*-tablet');
  const seals = await sealer.sealsFor(['machine:ana-tablet']);
  const name = seals.textOf('machine:ana-tablet', 'ana-tablet', 'name');
  const entityKey = seals.entityKeyOf('machine:ana-tablet');
  const subject = subjectOfKey(entityKey)!;
  await onboard(9, entityKey, [{ name, hostname: name, fqdn: null }], 'tablet');
  const lookup = deviceLookup(database.db, sealer);
  expect(await lookup('inventory', ['tablet'])).toEqual(new Map([['tablet', 'ana-tablet']]));
  await append(entityKey, [
    event({ type: 'SubjectErased', subject, reason: 'on request' }, T0, {}, { entityKey }),
  ]);
  await keys.destroy([subject]);
  expect(await lookup('inventory', ['tablet'])).toEqual(new Map());
});

it('a restored asset whose key was destroyed again is not the asset of its device; a missing key is an error', async () => {
  const keys = new SubjectKeys(database.db, vault);
  const sealer = new EventSealer(keys, '*-watch');
  const seals = await sealer.sealsFor(['machine:ana-watch']);
  const name = seals.textOf('machine:ana-watch', 'ana-watch', 'name');
  const entityKey = seals.entityKeyOf('machine:ana-watch');
  const subject = subjectOfKey(entityKey)!;
  await onboard(20, entityKey, [{ name, hostname: name, fqdn: null }], 'watch');
  await keys.destroy([subject]);
  expect(await deviceLookup(database.db, sealer)('inventory', ['watch'])).toEqual(new Map());
  await database.pool.query(`delete from subject_keys where subject = encode($1, 'hex')::uuid`, [
    Buffer.from(subject, 'base64url'),
  ]);
  const another = new EventSealer(new SubjectKeys(database.db, vault), '*-watch');
  await expect(deviceLookup(database.db, another)('inventory', ['watch'])).rejects.toThrow(/is missing/);
});
