import { beforeEach, describe, expect, it } from '@jest/globals';
import { LagMeter } from './lag-meter.ts';

let meter: LagMeter;
beforeEach(() => {
  meter = new LagMeter();
});

describe('the lag of the fold (R-LIM-3)', () => {
  it('is 0 if nothing was appended, or everything is folded', () => {
    expect(meter.seconds(9_000)).toBe(0);
    meter.logIsAt([5, 3], 1_000);
    meter.foldIsAt(0, 5);
    meter.foldIsAt(1, 3);
    expect(meter.seconds(9_000)).toBe(0);
  });

  it('grows from when the oldest unfolded record was seen, in the partition that is furthest behind', () => {
    meter.foldIsAt(0, 5);
    meter.foldIsAt(1, 3);
    meter.logIsAt([5, 4], 1_000);
    meter.logIsAt([6, 9], 2_000);
    expect(meter.seconds(3_000)).toBe(2);
    meter.foldIsAt(1, 4);
    expect(meter.seconds(3_000)).toBe(1);
    meter.foldIsAt(1, 9);
    expect(meter.seconds(4_000)).toBe(2);
    meter.foldIsAt(0, 6);
    expect(meter.seconds(4_000)).toBe(0);
  });

  it('does not restart with a fold that progresses but stays behind', () => {
    for (let second = 1; second <= 100; second += 1) {
      meter.logIsAt([100 * second], 1_000 * second);
      meter.foldIsAt(0, 50 * second);
    }
    expect(meter.seconds(100_000)).toBe(49);
  });

  it('counts a fold that was never seen as one at the beginning', () => {
    meter.logIsAt([1], 1_000);
    expect(meter.seconds(2_500)).toBe(1.5);
  });

  it('of a backlog from before the first look is as old as its oldest record, and never younger than the look', () => {
    meter.logIsAt([5, 9, 4, 7], 1_000);
    expect(meter.backlog()).toEqual(new Map());
    meter.foldIsAt(0, 5);
    meter.foldIsAt(1, 2);
    meter.foldIsAt(2, 3);
    expect(meter.backlog()).toEqual(
      new Map([
        [1, 2],
        [2, 3],
      ]),
    );
    meter.backlogIsSince(1, -60_000);
    // By a clock that is ahead of this one.
    meter.backlogIsSince(2, 500_000);
    expect(meter.lags(4_000).map(({ seconds }) => seconds)).toEqual([0, 64, 3, 3]);
    meter.foldIsAt(1, 8);
    expect(meter.backlog().get(1)).toBe(8);
    meter.backlogIsSince(1, -10_000);
    expect(meter.lags(4_000)[1]!.seconds).toBe(14);
    meter.logIsAt([5, 12, 4, 7], 5_000);
    meter.foldIsAt(1, 9);
    meter.backlogIsSince(1, -10_000);
    expect([meter.backlog().has(1), meter.lags(6_000)[1]!.seconds]).toEqual([false, 1]);
  });

  it('is reported by partition, in records and in seconds', () => {
    meter.foldIsAt(0, 5);
    meter.logIsAt([5, 4], 1_000);
    meter.logIsAt([5, 9], 2_000);
    expect(meter.lags(4_000)).toEqual([
      { partition: 0, records: 0, seconds: 0 },
      { partition: 1, records: 9, seconds: 3 },
    ]);
    meter.foldIsAt(1, 4);
    expect(meter.lags(4_000)[1]).toEqual({ partition: 1, records: 5, seconds: 2 });
    // The fold was read later than the log, and is ahead of the known end of the log.
    meter.foldIsAt(1, 12);
    expect(meter.lags(4_000)[1]).toEqual({ partition: 1, records: 0, seconds: 0 });
  });

  it('stays small, however long the fold is stopped', () => {
    for (let second = 1; second <= 10_000; second += 1) meter.logIsAt([second], 1_000 * second);
    expect(meter.seconds(10_000_000)).toBe(9_999);
    meter.foldIsAt(0, 10_000);
    expect(meter.seconds(10_000_000)).toBe(0);
  });
});
