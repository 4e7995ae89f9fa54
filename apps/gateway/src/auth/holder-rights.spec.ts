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

let database: TestDatabase;
let holders: Holders;
beforeAll(async () => {
  database = await testDatabase();
  const known = { scopesOfGrants: () => new Set(['findings:read']) } as unknown as KnownCredentials;
  const config = { localSignIn: 'on', oidcProviders: PROVIDERS } as Config;
  holders = new Holders(database.db, () => 0, known, config);
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
});
