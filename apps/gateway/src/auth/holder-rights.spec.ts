import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Config } from '#libs/config';
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts';
import { Holders } from './holder-rights.ts';
import type { KnownCredentials } from './known-credentials.ts';

const PROVIDERS = JSON.stringify([
  {
    id: 'corp',
    label: 'Corporate',
    issuer: 'https://id.example.com',
    clientId: 'posture',
    clientSecret: 'a-secret-of-a-client',
    grants: { a: ['analyst'] },
  },
]);

const NOW = Date.UTC(2026, 0, 1);

let database: TestDatabase;
let holders: Holders;
beforeAll(async () => {
  database = await testDatabase();
  const known = { scopesOfGrants: () => new Set(['findings:read']) } as unknown as KnownCredentials;
  const config = { localSignIn: 'on', oidcProviders: PROVIDERS, secondFactorRoles: 'analyst' } as Config;
  holders = new Holders(database.db, () => NOW, known, config);
  await database.pool.query(
    `insert into identity_providers (id, label, issuer, settings, client_secret, generation, created_at, changed_at, removed_at)
     values ('added', 'Added', '', '{}', 'sealed', 1, now(), now(), null), ('locked', 'Locked', '', '{}', null, 1, now(), now(), null),
            ('removed', 'Removed', '', '{}', null, 2, now(), now(), now())`,
  );
});
afterAll(() => database.drop());

describe('rights of a user who is away', () => {
  it.each([
    ['of the settings', 'corp', true],
    ['that an admin has added', 'added', true],
    ['without a secret, as after a restore', 'locked', false],
    ['that was removed', 'removed', false],
    ['that was taken out of the settings', 'former', false],
  ])('of a provider %s', async (_, provider, has) => {
    const id = randomUUID();
    await database.pool.query(
      `insert into users (id, provider, subject, name, grants, created_at) values ($1, $2, $2, $2, '{analyst}', now())`,
      [id, provider],
    );
    expect((await holders.rightsOf(id)) !== null).toBe(has);
    const people = await holders.people({ ids: [id], names: [] });
    expect(people.map(({ name }) => name)).toEqual(has ? [provider] : []);
    expect(await holders.namesOf([id])).toEqual(new Map([[id, provider]]));
  });

  it.each<
    [string, { due: number | null; confirmed?: boolean; role?: string; isBreakGlass?: boolean }, boolean]
  >([
    ['whose days without a second factor have ended', { due: NOW - 1 }, false],
    ['whose days without a second factor last', { due: NOW + 1 }, true],
    ['that has not signed in since the rule', { due: null }, true],
    ['with a second factor', { due: NOW - 1, confirmed: true }, true],
    ['that did not confirm its second factor', { due: NOW - 1, confirmed: false }, false],
    ['of another role', { due: NOW - 1, role: 'viewer' }, true],
    ['for emergencies', { due: NOW - 1, isBreakGlass: true }, true],
  ])('of a credential %s', async (_, { due, confirmed, role = 'analyst', isBreakGlass = false }, has) => {
    const id = randomUUID();
    await database.pool.query(
      `insert into credentials (id, username, role, password_hash, is_break_glass, second_factor_due_at, created_at)
       values ($1::uuid, $1::text, $2, 'hash', $3, $4, now())`,
      [id, role, isBreakGlass, due && new Date(due)],
    );
    if (confirmed !== undefined) {
      await database.pool.query(
        'insert into second_factors (credential_id, secret, confirmed_at) values ($1, $2, $3)',
        [id, 'sealed', confirmed ? new Date(NOW) : null],
      );
    }
    expect((await holders.rightsOf(id)) !== null).toBe(has);
    expect(await holders.people({ ids: [id], names: [] })).toHaveLength(has ? 1 : 0);
  });
});
