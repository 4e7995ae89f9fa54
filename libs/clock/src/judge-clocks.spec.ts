import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type ClockSample, type ClockState, judgeClocks } from './judge-clocks.ts';

const BOUND_MS = 60_000;
const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const T0 = Date.parse('2026-06-01T00:00:00Z');
const NEW: ClockState = { anchor: null, shifted: null, distrust: null };

const exactly = (difference: number) => ({ min: difference, max: difference });

/** A process on a machine whose true time and uptime advance together; each test sets the clocks. */
class Machine {
  state = NEW;
  true = T0;
  uptime = 5 * DAY_MS;
  /** The own clock minus the true time. */
  own = 0;
  /** That of the database; null: it is unavailable. */
  database: number | null = 0;
  /** That of a broker. */
  broker: number | null = null;
  logClock: number | null = T0;
  confirmed: number[] = [];
  lastTrusted: number | null = T0;

  /** A comparison after so much of true time. */
  after(ms: number): ClockState {
    this.true += ms;
    this.uptime += ms;
    const own = this.true + this.own;
    const sample: ClockSample = {
      own,
      uptime: this.uptime,
      database: this.database === null ? null : exactly(this.own - this.database),
      broker: this.broker === null ? null : exactly(this.own - this.broker),
      logClock: this.logClock,
      trusted: [this.logClock, this.lastTrusted, ...this.confirmed].filter((time) => time !== null),
    };
    this.state = judgeClocks(this.state, sample, BOUND_MS);
    if (!this.state.distrust) this.lastTrusted = own;
    return this.state;
  }

  /** The clock that own and database share is set by so much. */
  jump(ms: number): void {
    this.own += ms;
    this.database = (this.database ?? 0) + ms;
  }

  confirm(): void {
    this.confirmed.push(this.true + this.own);
  }

  get cause(): string | null {
    return this.state.distrust?.cause ?? null;
  }
}

/** Trusted, for a second. */
function started(): Machine {
  const machine = new Machine();
  machine.after(SECOND_MS);
  expect(machine.cause).toBeNull();
  return machine;
}

const beyond = fc
  .tuple(fc.integer({ min: BOUND_MS + 1, max: 4_000 * DAY_MS }), fc.constantFrom(1, -1))
  .map(([size, sign]) => size * sign);
const within = fc.integer({ min: -BOUND_MS, max: BOUND_MS });

describe('judgeClocks', () => {
  it('distrusts a clock that is further from the database’s than the bound, and trusts it once it is set right', () => {
    fc.assert(
      fc.property(beyond, within, (off, slight) => {
        const machine = started();
        machine.own = off;
        machine.after(SECOND_MS);
        expect(machine.cause).toBe('database');
        machine.own = slight;
        machine.after(SECOND_MS);
        expect([null, 'shift']).toContain(machine.cause);
        machine.own = 0;
        machine.after(SECOND_MS);
        expect(machine.cause).toBeNull();
      }),
    );
  });

  it('gives the database the benefit of the time that its answer took', () => {
    const sample = { own: T0, uptime: 0, broker: null, logClock: null, trusted: [] };
    const slow = { min: -BOUND_MS - 500, max: -BOUND_MS + 500 };
    expect(judgeClocks(NEW, { ...sample, database: slow }, BOUND_MS).distrust).toBeNull();
    const wrong = { min: -BOUND_MS - 1_500, max: -BOUND_MS - 1 };
    expect(judgeClocks(NEW, { ...sample, database: wrong }, BOUND_MS).distrust?.cause).toBe('database');
  });

  it('distrusts a clock that is further from a broker’s than the bound', () => {
    fc.assert(
      fc.property(beyond, (off) => {
        const machine = started();
        machine.broker = off;
        machine.after(SECOND_MS);
        expect(machine.cause).toBe('broker');
        machine.broker = null;
        machine.after(SECOND_MS);
        expect(machine.cause).toBeNull();
      }),
    );
  });

  it('trusts a machine that was suspended for any length of time, also while the database is unavailable', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000 * DAY_MS }), fc.boolean(), (slept, isAway) => {
        const machine = started();
        if (isAway) machine.database = null;
        machine.after(slept);
        expect(machine.cause).toBeNull();
      }),
    );
  });

  it('requires a confirmation after a shared clock has jumped forward by more than a day, and never continues without it', () => {
    const jumps = fc.integer({ min: DAY_MS + BOUND_MS + 1, max: 4_000 * DAY_MS });
    fc.assert(
      fc.property(jumps, fc.array(fc.integer({ min: 0, max: HOUR_MS }), { maxLength: 20 }), (jump, waits) => {
        const machine = started();
        machine.jump(jump);
        for (const wait of [SECOND_MS, ...waits]) {
          machine.after(wait);
          expect(machine.cause).toBe('jump');
        }
        machine.confirm();
        machine.after(SECOND_MS);
        expect(machine.cause).toBeNull();
      }),
    );
  });

  it('continues automatically when such a jump is undone', () => {
    const machine = started();
    machine.jump(120 * DAY_MS);
    machine.after(SECOND_MS);
    machine.jump(-120 * DAY_MS);
    machine.after(SECOND_MS);
    expect(machine.cause).toBeNull();
  });

  it('waits after a jump of up to a day until the clock has run steadily for as long as the bound', () => {
    const machine = started();
    machine.jump(5 * HOUR_MS);
    for (let waited = 0; waited < BOUND_MS; waited += SECOND_MS) {
      machine.after(SECOND_MS);
      expect(machine.cause).toBe('shift');
    }
    machine.jump(HOUR_MS);
    machine.after(SECOND_MS);
    expect(machine.cause).toBe('shift');
    machine.after(BOUND_MS - SECOND_MS);
    expect(machine.cause).toBe('shift');
    machine.after(SECOND_MS);
    expect(machine.cause).toBeNull();
  });

  it('asks for a word at a start more than a day after the last trusted time', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000 * DAY_MS }), (off) => {
        const machine = new Machine();
        machine.after(off);
        expect(machine.cause).toBe(off > DAY_MS ? 'jump' : null);
        machine.confirm();
        machine.after(SECOND_MS);
        expect(machine.cause).toBeNull();
      }),
    );
  });

  it('trusts the clock of a new site', () => {
    const machine = new Machine();
    machine.logClock = null;
    machine.lastTrusted = null;
    machine.after(SECOND_MS);
    expect(machine.cause).toBeNull();
  });

  it('takes no word for a time that was confirmed by a clock which was set back since', () => {
    const machine = new Machine();
    machine.confirmed = [T0 + 400 * DAY_MS];
    machine.after(30 * DAY_MS);
    expect(machine.cause).toBe('jump');
  });

  it('stamps nothing before the last time on the log, and names the command that mends a wrong one', () => {
    fc.assert(
      fc.property(fc.integer({ min: BOUND_MS + SECOND_MS + 1, max: 4_000 * DAY_MS }), (back) => {
        const machine = started();
        machine.logClock = machine.true;
        machine.jump(-back);
        machine.after(SECOND_MS);
        expect(machine.cause).toBe('log');
        expect(machine.state.distrust!.message).toContain('posture clock mend');
      }),
    );
  });

  it('says by how much, and which bound', () => {
    const machine = started();
    machine.own = 2 * HOUR_MS;
    expect(machine.after(SECOND_MS).distrust!.message).toBe(
      "the clock of this program, 2026-06-01T02:00:02Z, is 2 hours ahead of the database's (the limit is 60 s): synchronize both by NTP",
    );
  });

  it('never trusts a shared clock after days of jumps without a word, whether the database is unavailable or not', () => {
    const step = fc.record({
      wait: fc.integer({ min: 0, max: 30_000 }),
      jump: fc.constantFrom(0, 0, 0, 30_000, -30_000, 2 * HOUR_MS, -HOUR_MS, 2 * DAY_MS, 120 * DAY_MS),
      isAway: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const machine = started();
        let shared = 0;
        for (const { wait, jump, isAway } of steps) {
          shared += jump;
          machine.own = shared;
          machine.database = isAway ? null : shared;
          machine.after(wait);
          if (!machine.state.distrust) expect(shared).toBeLessThanOrEqual(DAY_MS + BOUND_MS);
        }
      }),
    );
  });
});
