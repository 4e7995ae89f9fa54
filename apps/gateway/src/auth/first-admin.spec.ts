import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Logger } from '#libs/config';
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts';
import { CredentialsRepository } from './credentials.repository.ts';
import { firstAdmin } from './first-admin.ts';
import { PasswordHasher } from './password-hasher.ts';

let database: TestDatabase;
let dataDir: string;
let logged: string[];
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  logged = [];
  dataDir = await mkdtemp(join(tmpdir(), 'posture-admin-'));
  await database.db.deleteFrom('credentials').execute();
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const NOW = 1_700_000_000_000;
const make = (config: { adminUsername?: string; adminPassword?: string } = {}) =>
  firstAdmin({
    config: { dataDir, ...config },
    db: database.db,
    clock: () => NOW,
    logger: { error: (message: string) => logged.push(message) } as unknown as Logger,
  });

const stored = () => new CredentialsRepository(database.db).findByUsername('admin');

describe('firstAdmin (R-AUTH-9)', () => {
  it('generates a password, returns it once and writes it readable only by its owner', async () => {
    const made = await make();
    expect(made).toEqual({ username: 'admin', password: expect.stringMatching(/^[\w-]{24}$/) });
    const path = join(dataDir, 'initial-credentials');
    expect(await readFile(path, 'utf8')).toBe(`username=admin\npassword=${made!.password}\n`);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const credential = await stored();
    expect(credential).toMatchObject({ username: 'admin', role: 'admin' });
    expect(await new PasswordHasher().verify(credential!.passwordHash, made!.password)).toBe(true);
    expect(credential!.passwordHash).not.toContain(made!.password);
  });

  it('creates none if there is one', async () => {
    await make();
    const before = await stored();
    expect(await make({ adminUsername: 'other' })).toBeNull();
    expect(await stored()).toEqual(before);
    expect(await database.db.selectFrom('credentials').selectAll().execute()).toHaveLength(1);
  });

  it('creates an admin, or sets a new password for a locked one, if no admin can sign in after a restore', async () => {
    await make();
    const made = (await stored())!;
    const due = new Date(NOW - 1).toISOString();
    const locked = { password_hash: '', generation: made.generation + 1, second_factor_due_at: due };
    await database.db.updateTable('credentials').set(locked).execute();
    const again = await make();
    const unlocked = (await stored())!;
    expect(unlocked).toMatchObject({ id: made.id, generation: made.generation + 1 });
    const ofSecondFactor = database.db.selectFrom('credentials').select('second_factor_due_at as dueAt');
    expect(await ofSecondFactor.execute()).toEqual([{ dueAt: null }]);
    expect(await new PasswordHasher().verify(unlocked.passwordHash, again!.password)).toBe(true);
    await database.db.updateTable('credentials').set({ role: 'viewer' }).execute();
    expect(await make({ adminUsername: 'root' })).toMatchObject({ username: 'root' });
    expect(await stored()).toMatchObject({ role: 'viewer', passwordHash: unlocked.passwordHash });
  });

  it.each([
    ['a viewer', { role: 'viewer' }],
    ['a locked admin with limits', { password_hash: '', departments: ['Berlin'] }],
  ])('says how to continue if its name is that of %s, and leaves the other as it is', async (_, other) => {
    await make();
    await database.db.updateTable('credentials').set(other).execute();
    const before = await stored();
    expect(await make()).toBeNull();
    expect(logged).toEqual([
      expect.stringMatching(
        /^no admin can sign in, and the user name admin is taken: set POSTURE_ADMIN_USERNAME/,
      ),
    ]);
    expect(await stored()).toEqual(before);
    expect(await readdir(dataDir)).toEqual([]);
    expect(await make({ adminUsername: 'root' })).toMatchObject({ username: 'root' });
  });

  it('takes POSTURE_ADMIN_USERNAME and POSTURE_ADMIN_PASSWORD, and writes them nowhere', async () => {
    expect(await make({ adminUsername: 'root@acme', adminPassword: 'correct horse' })).toBeNull();
    const credential = await new CredentialsRepository(database.db).findByUsername('root@acme');
    expect(await new PasswordHasher().verify(credential!.passwordHash, 'correct horse')).toBe(true);
    expect(await readdir(dataDir)).toEqual([]);
  });
});
