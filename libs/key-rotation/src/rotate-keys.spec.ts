import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { NIL } from 'uuid';
import { type Integration, readingAt } from '#libs/domain';
import { PostgresEventLog } from '#libs/event-log';
import { openLog } from '#libs/intake';
import { IntegrationSecrets } from '#libs/integration-store';
import { SubjectKeys } from '#libs/subject-keys';
import {
  identityProviderPlace,
  notificationAddressPlace,
  notificationSettingsPlace,
  reportSchedulePlace,
  secondFactorPlace,
  Vault,
} from '#libs/vault';
import { WebhookSecrets } from '#libs/webhooks';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { untilLockWait } from '../../../test/support/lock-wait.ts';
import { T0 } from '../../../test/support/scenario.ts';
import { readKeyStatus } from './key-status.ts';
import { rotateKeys } from './rotate-keys.ts';
import { SEALED_COLUMNS } from './sealed-columns.ts';

const [OLD, NEW] = [Buffer.from('the older secret of the site'), Buffer.from('the newer secret of the site')];
const before = new Vault([OLD]);
const rotating = new Vault([NEW, OLD]);
const after = new Vault([NEW]);
const NAMES = Array.from({ length: 25 }, (_, i) => `user:u${i}`);
/** Keys of 25 subjects and of the lookups, a secret of an integration, two of a webhook, a second factor, the secret of an identity provider, the content of a report schedule, the address of a person, and the mail server of notifications. */
const SEALED = 34;
const INTEGRATION = {
  id: '00000000-0000-4000-8000-000000000001',
  version: 1,
  type: 'edrplugin',
  subType: 'falcon',
  config: { url: 'https://edr.example', clientId: 'client' },
} as unknown as Integration;
const WEBHOOK = '00000000-0000-4000-8000-000000000002';
const WEBHOOK_URL = 'https://a.example';
const CREDENTIAL = '00000000-0000-4000-8000-000000000003';
const SCHEDULE = '00000000-0000-4000-8000-000000000004';

let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase();
  const log = new PostgresEventLog({ url: database.url, partitions: 1 });
  await openLog(database.db, log, () => readingAt(T0));
  await log.close();
});
afterEach(() => database.drop());

const keysUnder = (vault: Vault) => new SubjectKeys(database.db, vault);

/** Everything that the vault seals. */
async function fill() {
  const { db, pool } = database;
  const keys = await keysUnder(before).obtain(NAMES);
  await new IntegrationSecrets(db, before).put(INTEGRATION, { clientSecret: 'hunter2' });
  const [current, previous] = ['whsec_2', 'whsec_1'].map((secret) =>
    new WebhookSecrets(db, before).seal(WEBHOOK, secret),
  );
  await pool.query(
    `insert into webhooks (id, url, topics, secret, previous_secret, previous_until, enabled, position, created_at, updated_at)
     values ($1, $2, '{findings}', $3, $4, 'infinity', true, '{}', now(), now())`,
    [WEBHOOK, WEBHOOK_URL, current, previous],
  );
  await pool.query(
    `with c as (insert into credentials (id, username, password_hash, role, created_at)
                values ($1, 'ana', '', 'viewer', now()) returning id)
     insert into second_factors (credential_id, secret) select id, $2 from c`,
    [CREDENTIAL, before.seal('totp', secondFactorPlace(CREDENTIAL))],
  );
  await pool.query(
    `insert into identity_providers values ('corp', 'Corp', 'https://id.example', '{}', $1, 1, now(), now())`,
    [before.seal('client', identityProviderPlace('corp'))],
  );
  await pool.query(
    `insert into report_schedules (id, name, report, cron, time_zone, channels, content, owner_id, enabled, created_at, updated_at)
     values ($1, 'Weekly', 'board', '0 8 * * 1', 'UTC', '{email}', $2, $3, false, now(), now())`,
    [SCHEDULE, before.seal('ana@example.com', reportSchedulePlace(SCHEDULE)), CREDENTIAL],
  );
  await pool.query(
    `insert into notification_people (person_id, kinds, channel, content, checked_through, next_check_at)
     values ($1, '{}', 'email', $2, now(), now())`,
    [CREDENTIAL, before.seal('ana@example.com', notificationAddressPlace(CREDENTIAL))],
  );
  await pool.query(`insert into notification_settings (content, updated_at) values ($1, now())`, [
    before.seal('{}', notificationSettingsPlace()),
  ]);
  return keys;
}

async function notificationsBy(vault: Vault): Promise<string[]> {
  const { rows } = await database.pool.query(
    'select p.content as address, s.content as settings from notification_people p, notification_settings s',
  );
  const [{ address, settings }] = rows;
  return [
    vault.open(address, notificationAddressPlace(CREDENTIAL)),
    vault.open(settings, notificationSettingsPlace()),
  ];
}

async function reportScheduleBy(vault: Vault): Promise<string> {
  const { rows } = await database.pool.query('select content from report_schedules');
  return vault.open(rows[0].content, reportSchedulePlace(SCHEDULE));
}

async function identityProviderBy(vault: Vault): Promise<string> {
  const { rows } = await database.pool.query('select client_secret from identity_providers');
  return vault.open(rows[0].client_secret, identityProviderPlace('corp'));
}

async function secondFactorBy(vault: Vault): Promise<string> {
  const { rows } = await database.pool.query('select secret from second_factors');
  return vault.open(rows[0].secret, secondFactorPlace(CREDENTIAL));
}

/** What a vault reads of it. */
const readBy = async (vault: Vault) => ({
  keys: await keysUnder(vault).find(NAMES),
  integration: (await new IntegrationSecrets(database.db, vault).open(INTEGRATION)).secrets,
  webhook: await new WebhookSecrets(database.db, vault).open(
    { id: WEBHOOK, url: WEBHOOK_URL, options: {} },
    T0,
  ),
  secondFactor: await secondFactorBy(vault),
  identityProvider: await identityProviderBy(vault),
  reportSchedule: await reportScheduleBy(vault),
  notifications: await notificationsBy(vault),
});

/** Every row of every table as text, without the columns that the vault seals. */
async function otherContent(): Promise<Record<string, string[]>> {
  const { pool } = database;
  const { rows: tables } = await pool.query(
    `select tablename as name from pg_tables where schemaname = 'public'`,
  );
  const content: Record<string, string[]> = {};
  for (const { name } of tables) {
    const sealed = SEALED_COLUMNS.filter(({ table }) => table === name).map(({ column }) => column);
    const { rows } = await pool.query(
      `select (to_jsonb(t) - $1::text[])::text as row from ${name} t order by 1`,
      [sealed],
    );
    content[name] = rows.map(({ row }) => row);
  }
  return content;
}

async function wrappedOf(subject: string): Promise<string | null> {
  const { rows } = await database.pool.query(
    `select wrapped from subject_keys where subject = encode($1, 'hex')::uuid`,
    [Buffer.from(subject, 'base64url')],
  );
  return rows[0].wrapped;
}

describe('rotateKeys (R-KEY-4)', () => {
  it('wraps everything with the present key, and changes nothing else', async () => {
    await fill();
    const [content, held] = [await otherContent(), await readBy(before)];
    expect(await readKeyStatus(database.db)).toEqual([
      {
        keyId: before.currentId,
        subjectKeys: 26,
        integrationSecrets: 1,
        webhookSecrets: 2,
        secondFactors: 1,
        identityProviders: 1,
        reportSchedules: 1,
        notificationAddresses: 1,
        notificationSettings: 1,
      },
    ]);
    expect(await rotateKeys(database.db, rotating, { batchRows: 10 })).toEqual({
      rotated: SEALED,
      unchanged: 0,
      changedMeanwhile: 0,
      damaged: 0,
      named: [],
    });
    expect(await readKeyStatus(database.db)).toEqual([
      {
        keyId: after.currentId,
        subjectKeys: 26,
        integrationSecrets: 1,
        webhookSecrets: 2,
        secondFactors: 1,
        identityProviders: 1,
        reportSchedules: 1,
        notificationAddresses: 1,
        notificationSettings: 1,
      },
    ]);
    expect(await otherContent()).toEqual(content);
    expect(await readBy(after)).toEqual(held);
    await expect(keysUnder(before).find(NAMES)).rejects.toThrow(/different secret key/);
    expect(await rotateKeys(database.db, after)).toMatchObject({ rotated: 0, unchanged: SEALED });
  });

  it('knows every column that the vault seals', async () => {
    await fill();
    await rotateKeys(database.db, rotating);
    const { rows } = await database.pool.query(
      `select tablename as name from pg_tables where schemaname = 'public'`,
    );
    for (const { name } of rows) {
      const found = await database.pool.query(`select 1 from ${name} t where t::text like $1 escape '!'`, [
        `%v1.${before.currentId.replaceAll('_', '!_')}.%`,
      ]);
      expect([name, found.rowCount]).toEqual([name, 0]);
    }
  });

  it('resumes after an interruption between two batches', async () => {
    await fill();
    const held = await readBy(before);
    const killed = rotateKeys(database.db, rotating, {
      batchRows: 10,
      onBatch: (done) => {
        if (done === 20) throw new Error('killed');
      },
    });
    await expect(killed).rejects.toThrow('killed');
    expect((await readKeyStatus(database.db)).map(({ keyId, subjectKeys }) => [keyId, subjectKeys])).toEqual(
      expect.arrayContaining([
        [after.currentId, 20],
        [before.currentId, 6],
      ]),
    );
    expect(await keysUnder(rotating).find(NAMES)).toEqual(held.keys);
    expect(await rotateKeys(database.db, rotating)).toMatchObject({ rotated: SEALED - 20, unchanged: 20 });
    expect(await readBy(after)).toEqual(held);
  });

  it('runs twice at the same time', async () => {
    await fill();
    const held = await readBy(before);
    const both = await Promise.all(
      [1, 2, 3].map((batchRows) => rotateKeys(database.db, rotating, { batchRows })),
    );
    expect(both.reduce((sum, { rotated }) => sum + rotated, 0)).toBe(SEALED);
    for (const { rotated, unchanged, changedMeanwhile } of both) {
      expect(rotated + unchanged + changedMeanwhile).toBe(SEALED);
    }
    expect(await readBy(after)).toEqual(held);
  });

  it('names what does not open, keeps it, and rotates the others', async () => {
    const keys = await fill();
    const [ana, ben, cleo] = [...keys.values()].map(({ subject }) => subject) as [string, string, string];
    const foreign = new Vault([Buffer.from('a secret of another site, long')]).seal('k', {
      integration: 'x',
      field: 'subject key',
    });
    const damaged = { [ana]: await wrappedOf(ben), [cleo]: foreign };
    for (const [subject, wrapped] of Object.entries(damaged)) {
      await database.pool.query(
        `update subject_keys set wrapped = $2 where subject = encode($1, 'hex')::uuid`,
        [Buffer.from(subject, 'base64url'), wrapped],
      );
    }
    await database.pool.query(`update integration_secrets set sealed = 'hunter2'`);
    const told = await rotateKeys(database.db, rotating, { batchRows: 4 });
    expect(told).toMatchObject({ rotated: SEALED - 3, damaged: 3 });
    expect(told.named).toHaveLength(3);
    expect(told.named).toEqual(
      expect.arrayContaining([
        { name: `the key of subject ${ana}`, failure: 'altered' },
        { name: `the key of subject ${cleo}`, failure: 'key' },
        { name: `clientSecret of integration ${INTEGRATION.id}`, failure: 'form' },
      ]),
    );
    expect({ [ana]: await wrappedOf(ana), [cleo]: await wrappedOf(cleo) }).toEqual(damaged);
    expect((await readKeyStatus(database.db)).map(({ keyId }) => keyId)).toContain(null);
    // Repeating finds the same ones, although one of them is under the present key by its form.
    expect(await rotateKeys(database.db, rotating)).toMatchObject({ rotated: 0, damaged: 3 });
  });

  it('names the key of the lookups', async () => {
    await fill();
    await database.pool.query(`update subject_keys set wrapped = 'v1' where subject = $1`, [NIL]);
    expect((await rotateKeys(database.db, rotating)).named).toEqual([
      { name: 'the key of the lookups of subjects', failure: 'form' },
    ]);
  });

  it('does not bring back a key that is destroyed at the same time', async () => {
    const keys = await fill();
    const { subject } = keys.get(NAMES[0]!)!;
    const erasing = await database.pool.connect();
    try {
      await erasing.query('begin');
      await erasing.query(
        `update subject_keys set wrapped = null, lookup = null, destroyed_at = now()
          where subject = encode($1, 'hex')::uuid`,
        [Buffer.from(subject, 'base64url')],
      );
      const rotation = rotateKeys(database.db, rotating);
      await untilLockWait('the rotation waits for the row', database);
      await erasing.query('commit');
      expect(await rotation).toMatchObject({ rotated: SEALED - 1, changedMeanwhile: 1, damaged: 0 });
    } finally {
      erasing.release();
    }
    expect(await wrappedOf(subject)).toBeNull();
  });
});
