import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '#libs/config';
import { openDatabase } from '#libs/database';
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts';
import { ProjectionPositions } from './projection-positions.repository.ts';
import { ProjectionWaiter } from './projection-waiter.ts';

const silent = createLogger('silent');
/** Of a caller whose access does not end. */
const lasting = new AbortController().signal;
let database: TestDatabase;
let waiter: ProjectionWaiter;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.db.deleteFrom('projection_positions').execute();
  waiter = new ProjectionWaiter(new ProjectionPositions(database.db), silent);
});

const project = (partition: number, nextOffset: number) =>
  database.db
    .insertInto('projection_positions')
    .values({ partition, next_offset: nextOffset })
    .onConflict((conflict) => conflict.column('partition').doUpdateSet({ next_offset: nextOffset }))
    .execute();

describe('ProjectionWaiter (R-UPL-8)', () => {
  it('answers when every partition is past its offset, not before', async () => {
    await project(0, 6);
    await project(1, 3);
    let isDone = false;
    const waiting = waiter
      .wait(
        new Map([
          [0, 5],
          [1, 3],
        ]),
        20,
        lasting,
      )
      .then((waited) => {
        isDone = true;
        return waited;
      });
    // Two callers wait for positions that are not reached: each of them first reads the positions.
    expect(await waiter.wait(new Map([[1, 2]]), 20, lasting)).toBe(true);
    expect(isDone).toBe(false);
    await project(1, 4);
    expect(await waiting).toBe(true);
  });

  it('returns after the timeout if they are not', async () => {
    const start = performance.now();
    expect(await waiter.wait(new Map([[0, 0]]), 1, lasting)).toBe(true);
    expect(performance.now() - start).toBeGreaterThanOrEqual(990);
  });

  it('has no position to wait for if nothing was appended', async () => {
    expect(await waiter.wait(new Map(), 60, lasting)).toBe(true);
  });

  it('does not let more than 256 wait, and lets all go when the program stops', async () => {
    const waiting = Array.from({ length: 256 }, () => waiter.wait(new Map([[0, 0]]), 60, lasting));
    expect(await waiter.wait(new Map([[0, 0]]), 60, lasting)).toBe(false);
    await waiter.onModuleDestroy();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([true]));
    expect(await waiter.wait(new Map([[0, 0]]), 60, lasting)).toBe(false);
  });

  it('ends with the access of who waits, and says so', async () => {
    const access = new AbortController();
    const waiting = waiter.wait(new Map([[0, 0]]), 60, access.signal);
    access.abort();
    expect(await waiting).toBe(false);
    expect(await waiter.wait(new Map([[0, 0]]), 60, access.signal)).toBe(false);
  });

  it('outlasts an absent database', async () => {
    const away = openDatabase('postgres://nobody@127.0.0.1:1/nowhere');
    expect(
      await new ProjectionWaiter(new ProjectionPositions(away.db), silent).wait(
        new Map([[0, 0]]),
        1,
        lasting,
      ),
    ).toBe(true);
    await away.close();
  });
});
