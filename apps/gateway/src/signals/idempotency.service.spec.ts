import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { BadRequestException, ConflictException, UnprocessableEntityException } from '@nestjs/common';
import { bareClock } from '#libs/clock';
import { createLogger } from '#libs/config';
import { openDatabase } from '#libs/database';
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts';
import { until } from '../../../../test/support/until.ts';
import { errorBodyOf } from '../http/error-body.ts';
import { IdempotencyRepository } from './idempotency.repository.ts';
import { IdempotencyService, type UploadIdentity } from './idempotency.service.ts';

const HOUR_MS = 3_600_000;
const ANA = '6f3a4b1f-0a04-4b5c-9a3e-5f0c1a520d0b';
const BOB = '6f3a4b1f-0a04-4b5c-9a3e-5f0c1a520d0c';

let database: TestDatabase;
let now = 1_700_000_000_000;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
beforeEach(() => database.db.deleteFrom('idempotency_keys').execute());

const storedKeys = async (): Promise<number> =>
  (await database.db.selectFrom('idempotency_keys').select('key').execute()).length;

const service = () =>
  new IdempotencyService(
    new IdempotencyRepository(database.db),
    bareClock(() => now),
    createLogger('silent'),
  );

const upload = (key: string | null, body: string, credentialId = ANA, settingsVersion = 1) => ({
  credentialId,
  key,
  settingsVersion,
  bodySha256: () => createHash('sha256').update(body).digest(),
});

/** Runs an upload that succeeds; answers its identity. */
const succeed = (body: string, key: string | null = 'k', credentialId = ANA) =>
  service().run(upload(key, body, credentialId), async (identity) => identity);

describe('IdempotencyService (R-UPL-3)', () => {
  it('without a key every upload is a new one', async () => {
    const first = await succeed('x', null);
    expect(first).toEqual({ uploadId: expect.stringMatching(/^[0-9a-f-]{36}$/), at: now, receivedAt: now });
    expect((await succeed('x', null)).uploadId).not.toBe(first.uploadId);
  });

  it('answers a repeat as the first was answered, without running it', async () => {
    const answer = await service().run(upload('k', 'x'), async ({ uploadId }) => ({ uploadId, accepted: 3 }));
    now += HOUR_MS;
    const again = await service().run(upload('k', 'x'), () => Promise.reject(new Error('ran again')));
    expect(again).toEqual(answer);
  });

  it('gives a retry after a crash the identity of the first attempt', async () => {
    const seen: UploadIdentity[] = [];
    const crash = service().run(upload('k', 'x'), (identity) => {
      seen.push(identity);
      return Promise.reject(new Error('power cut'));
    });
    await expect(crash).rejects.toThrow('power cut');
    now += HOUR_MS;
    seen.push(await succeed('x'));
    expect(seen[1]).toEqual(seen[0]);
  });

  it('rejects a retry of an interrupted upload under other settings, and only that', async () => {
    const crash = service().run(upload('k', 'x'), () => Promise.reject(new Error('power cut')));
    await expect(crash).rejects.toThrow('power cut');
    const retry = (settingsVersion: number) =>
      service().run(upload('k', 'x', ANA, settingsVersion), async () => 'stored');
    await expect(retry(2)).rejects.toThrow(ConflictException);
    expect(await retry(1)).toBe('stored');
    expect(await retry(2)).toBe('stored');
  });

  it('rejects a retry of an upload of many events that was interrupted at 0.1.0, which kept no settings', async () => {
    const { bodySha256 } = upload('k', 'x');
    const use = { uploadId: ANA, receivedAt: now, bodySha256: bodySha256(), settingsVersion: null };
    await new IdempotencyRepository(database.db).claim(
      { credentialId: ANA, key: 'k' },
      { ...use, answer: null },
      0,
    );
    await expect(succeed('x')).rejects.toThrow(
      new ConflictException(
        'the version of the gateway has changed since the first attempt with this Idempotency-Key, which was not completed: send the upload with a new key',
      ),
    );
    const signal = { ...upload('k', 'x'), settingsVersion: null };
    expect(await service().run(signal, async ({ uploadId }) => uploadId)).toBe(ANA);
  });

  it('rejects a retry of an interrupted upload with other subjects before it appends anything', async () => {
    const appended: string[] = [];
    const send = (subjects: string[], outcome: () => Promise<string>, key = 'k') =>
      service().run(upload(key, 'x'), async (_, assertSame) => {
        await assertSame(subjects);
        appended.push(subjects.join());
        return outcome();
      });
    const crash = () => Promise.reject(new Error('power cut'));
    await expect(send(['ana', 'ben'], crash)).rejects.toThrow('power cut');
    await expect(send(['ana again', 'ben'], crash)).rejects.toThrow(ConflictException);
    expect(appended).toEqual(['ana,ben']);
    expect(await send(['ben', 'ana'], async () => 'stored')).toBe('stored');
    now += 24 * HOUR_MS;
    expect(await send(['cleo'], async () => 'a new upload')).toBe('a new upload');
  });

  it('422: another body under the same key', async () => {
    await succeed('x');
    await expect(succeed('y')).rejects.toThrow(UnprocessableEntityException);
  });

  it('keeps credentials apart', async () => {
    const ana = await succeed('x');
    const bob = await succeed('y', 'k', BOB);
    expect(bob.uploadId).not.toBe(ana.uploadId);
  });

  it('frees a key after 24 hours, for a new upload of another id', async () => {
    const first = await succeed('x');
    now += 24 * HOUR_MS - 1;
    expect(await succeed('x')).toEqual(first);
    now += 1;
    const second = await succeed('y');
    expect(second).toEqual({ uploadId: expect.any(String), at: now, receivedAt: now });
    expect(second.uploadId).not.toBe(first.uploadId);
  });

  it('frees a key whose upload was rejected: the corrected body may come under it', async () => {
    const refused = service().run(upload('k', 'x'), () =>
      Promise.reject(new BadRequestException('malformed')),
    );
    await expect(refused).rejects.toThrow('malformed');
    await expect(succeed('y')).resolves.toBeDefined();
  });

  it('keeps the key of a started upload, for any result of the retry', async () => {
    const crash = service().run(upload('k', 'x'), () => Promise.reject(new Error('power cut')));
    await expect(crash).rejects.toThrow('power cut');
    const refused = service().run(upload('k', 'x'), () =>
      Promise.reject(new BadRequestException('malformed')),
    );
    await expect(refused).rejects.toThrow('malformed');
    await expect(succeed('y')).rejects.toThrow(UnprocessableEntityException);
  });

  it('lets a twin wait for the first and answers both alike', async () => {
    const one = service();
    let runs = 0;
    let finish = () => {};
    const first = one.run(upload('k', 'x'), async ({ uploadId }) => {
      runs++;
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return uploadId;
    });
    const twins = [1, 2, 3].map(() =>
      one.run(upload('k', 'x'), async () => {
        runs++;
        return 'ran again';
      }),
    );
    while (runs === 0) await new Promise(setImmediate);
    finish();
    expect(new Set(await Promise.all(twins))).toEqual(new Set([await first]));
    expect(runs).toBe(1);
  });

  /** An upload at another gateway, which waits until it is ended. */
  function held<T>(): { work: (identity: UploadIdentity) => Promise<T>; end: (outcome: Promise<T>) => void } {
    let end: (outcome: Promise<T>) => void = () => {};
    const outcome = new Promise<T>((resolve) => {
      end = resolve;
    });
    return { work: () => outcome, end };
  }

  const refusal = <T>(): Promise<T> => Promise.reject(new BadRequestException('busy'));

  it('keeps a key that another gateway has joined, if the first attempt is refused after its answer', async () => {
    const first = held<UploadIdentity>();
    const refused = service().run(upload('k', 'x'), first.work);
    await until('the claim of the first', async () => (await storedKeys()) === 1);
    const answer = await succeed('x');
    first.end(refusal());
    await expect(refused).rejects.toThrow('busy');
    const again = await service().run(upload('k', 'x'), () => Promise.reject(new Error('ran again')));
    expect(again).toEqual(answer);
  });

  it('keeps a key that another gateway has joined, if the first attempt is refused before its answer', async () => {
    const [first, second] = [held<UploadIdentity>(), held<UploadIdentity>()];
    const refused = service().run(upload('k', 'x'), first.work);
    await until('the claim of the first', async () => (await storedKeys()) === 1);
    const seen: UploadIdentity[] = [];
    const joined = service().run(upload('k', 'x'), (identity) => {
      seen.push(identity);
      return second.work(identity);
    });
    await until('the second', () => seen.length === 1);
    first.end(refusal());
    await expect(refused).rejects.toThrow('busy');
    now += 1_000;
    const third = service().run(upload('k', 'x'), async (identity) => {
      seen.push(identity);
      return identity;
    });
    await third;
    second.end(Promise.resolve(seen[0]!));
    expect(new Set([await joined, await third].map(({ uploadId }) => uploadId)).size).toBe(1);
    expect(await succeed('x')).toEqual(seen[0]);
    await expect(succeed('y')).rejects.toThrow(UnprocessableEntityException);
  });

  it('503: a keyed upload while the database is unavailable is not run, and a retry counts once', async () => {
    const first = await succeed('x');
    const away = openDatabase('postgres://nobody@127.0.0.1:1/nowhere');
    const keys = new IdempotencyRepository(away.db);
    const withoutDatabase = new IdempotencyService(
      keys,
      bareClock(() => now),
      createLogger('silent'),
    );
    const seen: UploadIdentity[] = [];
    const error = await withoutDatabase
      .run(upload('k', 'x'), async (identity) => seen.push(identity))
      .catch((thrown: unknown) => thrown);
    expect(errorBodyOf(error, 'r-1')).toMatchObject({ statusCode: 503, retryIn: 5 });
    expect(seen).toEqual([]);
    await expect(withoutDatabase.run(upload(null, 'x'), async () => 'ran')).resolves.toBe('ran');
    await away.close();
    expect(await succeed('x')).toEqual(first);
  });

  it('removes keys that are free again, without a further upload', async () => {
    await succeed('x', 'old');
    now += 25 * HOUR_MS;
    await succeed('x', 'new');
    const later = service();
    await later.onModuleInit();
    const left = await database.db.selectFrom('idempotency_keys').select('key').execute();
    expect(left).toEqual([{ key: 'new' }]);
    await later.onModuleDestroy();
  });
});
