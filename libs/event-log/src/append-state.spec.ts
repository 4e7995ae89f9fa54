import { describe, expect, it } from '@jest/globals';
import { AppendState } from './append-state.ts';
import { LogBusyError, LogUnavailableError } from './event-log.ts';

const full = new LogUnavailableError('the disk is full');

/** A state with its reports, and a clock. */
function watched() {
  const told: (Error | null)[] = [];
  const clock = { now: 0 };
  const state = new AppendState(
    (failure) => told.push(failure),
    () => clock.now,
  );
  const fails = (error: Error) => expect(state.watch(Promise.reject(error))).rejects.toBe(error);
  return { state, told, clock, fails };
}

describe('the outcome of appends', () => {
  it('is passed on, and logs nothing while they succeed', async () => {
    const { state, told } = watched();
    expect(await state.watch(Promise.resolve(7))).toBe(7);
    expect([state.lastFailure, told]).toEqual([null, []]);
  });

  it('logs the first failure in a row, and that an append succeeds again', async () => {
    const { state, told, fails } = watched();
    const again = new LogUnavailableError('still full');
    await fails(full);
    await fails(again);
    expect(state.lastFailure).toBe(again);
    expect(told).toEqual([full]);
    await state.watch(Promise.resolve());
    await state.watch(Promise.resolve());
    expect(state.lastFailure).toBeNull();
    expect(told).toEqual([full, null]);
    await fails(full);
    expect(told).toEqual([full, null, full]);
  });

  it('is dated by the last failure', async () => {
    const { state, clock, fails } = watched();
    clock.now = 1_000;
    await fails(full);
    clock.now = 1_500;
    await fails(full);
    clock.now = 1_700;
    expect(state.failedAgoMs).toBe(200);
  });

  it.each([
    ['too much waits: the log is at work', new LogBusyError('busy')],
    ['the caller was wrong', new TypeError('no such topic')],
  ])('is no failure of the log where %s', async (_, error) => {
    const { state, told, fails } = watched();
    await fails(error);
    expect([state.lastFailure, told]).toEqual([null, []]);
  });
});
