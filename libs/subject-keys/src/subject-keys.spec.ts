import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventSealer, SubjectKeyError } from '#libs/sealing';
import { Vault } from '#libs/vault';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { signal, T0, upload } from '../../../test/support/scenario.ts';
import { KeysUnavailableError, SubjectKeys } from './subject-keys.ts';

const SECRET = randomBytes(32);
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const open = (...secrets: Buffer[]) =>
  new SubjectKeys(database.db, new Vault(secrets.length > 0 ? secrets : [SECRET]));
const rows = () => database.db.selectFrom('subject_keys').selectAll().orderBy('created_at').execute();

describe('the keys of subjects', () => {
  it('are the same for processes that meet a name at the same time, and after a restart', async () => {
    const names = Array.from({ length: 50 }, (_, i) => `user:u${i}@acme.com`);
    const [a, b] = await Promise.all([open().obtain(names), open().obtain(names.toReversed())]);
    for (const name of names) expect(b.get(name)).toEqual(a.get(name));
    expect(new Set([...a.values()].map(({ subject }) => subject)).size).toBe(50);
    expect(await open().find(names)).toEqual(a);
    expect(JSON.stringify(await rows())).not.toContain('acme');
    const [one] = a.values();
    expect((await open().read([one!.subject])).get(one!.subject)).toEqual(one);
  });

  it('are stored of an upload only when it begins, unless another one has stored others', async () => {
    const names = ['user:draft-a', 'user:draft-b'];
    const [first, second] = [new EventSealer(open()).drafted(), new EventSealer(open()).drafted()];
    const keys = await first.sealer.keysOf(names);
    expect(await first.sealer.keysOf(names)).toEqual(keys);
    expect((await second.sealer.keysOf(names)).get('user:draft-a')).not.toEqual(keys.get('user:draft-a'));
    const text = await first.sealer.entityText('user:draft-a', 'a text');
    expect([text === 'a text', await first.sealer.open(text)]).toEqual([false, 'a text']);
    expect(await open().find(names)).toEqual(new Map());
    expect(await first.keys!.storeDrafts()).toBe(true);
    expect(await open().find(names)).toEqual(keys);
    expect(await new EventSealer(open()).open(text)).toBe('a text');
    expect(await second.keys!.storeDrafts()).toBe(false);
    expect(await open().find(names)).toEqual(keys);
  });

  it('are unknown by name until something obtains them', async () => {
    expect(await open().find(['user:nobody'])).toEqual(new Map());
    expect(await open().read([randomBytes(16).toString('base64url')])).toEqual(new Map());
  });

  it('are null by id when they were destroyed, and a name that comes again is a new subject', async () => {
    const before = (await open().obtain(['person:ben'])).get('person:ben')!;
    await database.pool.query(
      `update subject_keys set wrapped = null, lookup = null, destroyed_at = now()
        where subject = encode($1, 'hex')::uuid`,
      [Buffer.from(before.subject, 'base64url')],
    );
    expect(await open().read([before.subject])).toEqual(new Map([[before.subject, null]]));
    expect((await open().obtain(['person:ben'])).get('person:ben')!.subject).not.toBe(before.subject);
  });

  it('open with the previous secret, and not with another one', async () => {
    const [one] = (await open().obtain(['user:eve'])).values();
    expect((await open(randomBytes(32), SECRET).find(['user:eve'])).get('user:eve')).toEqual(one);
    await expect(open(randomBytes(32)).find(['user:eve'])).rejects.toThrow(SubjectKeyError);
  });

  it('do not open in the row of another subject', async () => {
    const [a] = (await open().obtain(['user:a'])).values();
    const [b] = (await open().obtain(['user:b'])).values();
    const idOf = (subject: string) => Buffer.from(subject, 'base64url').toString('hex');
    await database.pool.query(
      'update subject_keys set wrapped = (select wrapped from subject_keys where subject = $1::uuid) where subject = $2::uuid',
      [idOf(a!.subject), idOf(b!.subject)],
    );
    await expect(open().read([b!.subject])).rejects.toThrow(/was changed, or belongs to another subject/);
    const damaged: [string, number][] = [];
    const found = await open().read([a!.subject, b!.subject], ({ message }, count) =>
      damaged.push([message, count]),
    );
    expect([...found.keys()]).toEqual([a!.subject]);
    expect(damaged).toEqual([[expect.stringMatching(/was changed, or belongs/), 1]]);
  });

  it('are unavailable while the table does not answer; events without personal texts do not need them', async () => {
    await database.pool.query('alter table subject_keys rename to away');
    await expect(open().obtain(['user:new'])).rejects.toThrow(KeysUnavailableError);
    const signalOf = (user: string | null) =>
      upload(1, T0, [signal('a')], { entityKey: 'machine:web01' }).map((event) => ({
        ...event,
        envelope: { ...event.envelope, upload: null, cause: { ...event.envelope.cause, user } },
      }));
    const sealer = new EventSealer(open());
    expect(await sealer.seal(signalOf(null))).toEqual(signalOf(null));
    await expect(sealer.seal(signalOf('ana'))).rejects.toThrow(KeysUnavailableError);
    await database.pool.query('alter table away rename to subject_keys');
    expect((await open().obtain(['user:new'])).size).toBe(1);
  });
});
