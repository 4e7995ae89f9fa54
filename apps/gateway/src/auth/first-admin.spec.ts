import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts';
import { CredentialsRepository } from './credentials.repository.ts';
import { firstAdmin } from './first-admin.ts';
import { PasswordHasher } from './password-hasher.ts';

let database: TestDatabase;
let dataDir: string;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'posture-admin-'));
  await database.db.deleteFrom('credentials').execute();
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const make = (config: { adminUsername?: string; adminPassword?: string } = {}) =>
  firstAdmin({ config: { dataDir, ...config }, db: database.db, clock: () => 1_700_000_000_000 });

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
    const locked = { password_hash: '', generation: made.generation + 1 };
    await database.db.updateTable('credentials').set(locked).execute();
    const again = await make();
    const unlocked = (await stored())!;
    expect(unlocked).toMatchObject({ id: made.id, generation: made.generation + 1 });
    expect(await new PasswordHasher().verify(unlocked.passwordHash, again!.password)).toBe(true);
    await database.db.updateTable('credentials').set({ role: 'viewer' }).execute();
    expect(await make({ adminUsername: 'root' })).toMatchObject({ username: 'root' });
    expect(await stored()).toMatchObject({ role: 'viewer', passwordHash: unlocked.passwordHash });
  });

  it('takes POSTURE_ADMIN_USERNAME and POSTURE_ADMIN_PASSWORD, and writes them nowhere', async () => {
    expect(await make({ adminUsername: 'root@acme', adminPassword: 'correct horse' })).toBeNull();
    const credential = await new CredentialsRepository(database.db).findByUsername('root@acme');
    expect(await new PasswordHasher().verify(credential!.passwordHash, 'correct horse')).toBe(true);
    expect(await readdir(dataDir)).toEqual([]);
  });
});
