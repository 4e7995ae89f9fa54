import { uptime } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Clock, Logger } from '#libs/config';
import type { Schema } from '#libs/database';
import { decidedAt, type Reading } from '#libs/domain';
import { clockTrusted } from '#libs/telemetry';
import { BrokerClock } from './broker-clock.ts';
import { type ClockState, type Distrust, judgeClocks } from './judge-clocks.ts';
import { type DatabaseTimes, noteTrusted, readDatabaseTimes, trustedTimes } from './read-database-times.ts';
import { ReferenceClock } from './reference-clock.ts';
import { ClockError, type TrustedClock } from './trusted-clock.ts';

const LOOK_INTERVAL_MS = 1_000;
/** Since the start of the machine, times of suspension included. */
const uptimeMs = () => uptime() * 1000;

/** How old the last trusted time may be when a program ends. */
const NOTE_INTERVAL_MS = 60_000;

export interface ClockGuardOptions {
  db: Kysely<Schema>;
  clock: Clock;
  logger: Logger;
}

/**
 * Compares the clock of a process at its start and every second: with those of the database, the brokers and the log,
 * and with the uptime of the machine. While they differ by more than `clockSkewSecondsMax` it gives no reading.
 */
export class ClockGuard implements TrustedClock {
  private readonly reference = new ReferenceClock(() => performance.now());
  private readonly brokers = new BrokerClock(uptimeMs);
  private readonly stopping = new AbortController();
  private state: ClockState = { anchor: null, shifted: null, distrust: null };
  private times: DatabaseTimes | undefined;
  private last: Reading | undefined;
  private notedAt = Number.NEGATIVE_INFINITY;
  private watching: Promise<void> = Promise.resolve();

  private constructor(private readonly options: ClockGuardOptions) {}

  /** Resolves when the clocks were compared once, with any result. @throws if the database does not answer */
  static async start(options: ClockGuardOptions): Promise<ClockGuard> {
    const guard = new ClockGuard(options);
    await guard.compare();
    guard.watching = guard.watch();
    return guard;
  }

  get distrust(): Distrust | null {
    return this.state.distrust;
  }

  read(): Reading {
    if (this.state.distrust) throw new ClockError(this.state.distrust.message);
    const [own, reference] = [this.options.clock(), this.reference.now()];
    // Between two comparisons; the next one decides.
    if (!(Math.abs(own - reference) <= this.times!.boundMs)) {
      throw new ClockError(
        'the clock of this program was changed, or the machine was suspended: the clock is being checked',
      );
    }
    const { at, receivedAt } = this.last!;
    this.last = { at: Math.max(at, own), receivedAt: Math.max(receivedAt, reference) };
    return this.last;
  }

  now(): number {
    return decidedAt(this.read());
  }

  /**
   * Takes the time at which a broker stored a record of this process.
   * @param storedAt epoch milliseconds, by the leader of the partition
   * @param tookMs since it was sent
   */
  noteBroker(partition: number, storedAt: number, tookMs: number): void {
    this.brokers.note(partition, storedAt, tookMs);
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await this.watching;
  }

  private async watch(): Promise<void> {
    const { signal } = this.stopping;
    for (;;) {
      await setTimeout(LOOK_INTERVAL_MS, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      // While the database is unavailable, its clock is extrapolated, and the other clocks are still compared.
      await this.compare().catch(() => this.judge(null));
      await this.note();
    }
  }

  private async compare(): Promise<void> {
    const [asked, before] = [performance.now(), this.options.clock()];
    const times = await readDatabaseTimes(this.options.db);
    const [answered, own] = [performance.now(), this.options.clock()];
    if (isSetBack(this.times, times)) this.last = beginningOf(times);
    this.times = times;
    this.judge({ min: before - times.now, max: own - times.now }, own);
    if (this.state.distrust) return;
    this.reference.take(times.now, asked, answered);
    this.last ??= beginningOf(times);
  }

  private judge(database: { min: number; max: number } | null, own = this.options.clock()): void {
    const times = this.times;
    if (!times) return;
    const stamped = this.last ? decidedAt(this.last) : Number.NEGATIVE_INFINITY;
    const latest = Math.max(times.logClock ?? Number.NEGATIVE_INFINITY, stamped);
    const sample = {
      own,
      uptime: uptimeMs(),
      database,
      broker: this.brokers.furthest(own),
      logClock: Number.isFinite(latest) ? latest : null,
      trusted: trustedTimes(times),
    };
    this.enter(judgeClocks(this.state, sample, times.boundMs));
  }

  private enter(state: ClockState): void {
    const before = this.state.distrust;
    this.state = state;
    clockTrusted.set(state.distrust ? 0 : 1);
    if (state.distrust && state.distrust.cause !== before?.cause) {
      this.options.logger.error(
        `clock not trusted, uploads and expirations stopped: ${state.distrust.message}`,
      );
    } else if (before && !state.distrust) {
      this.options.logger.info('clock trusted again, uploads and expirations resumed');
    }
  }

  /** A note that fails costs a question at the next start. */
  private async note(): Promise<void> {
    if (this.state.distrust || performance.now() - this.notedAt < NOTE_INTERVAL_MS) return;
    this.notedAt = performance.now();
    const now = Math.min(this.options.clock(), this.reference.now());
    await noteTrusted(this.options.db, now).catch((error: Error) =>
      this.options.logger.debug({ err: error }, 'storing the trusted time failed'),
    );
  }
}

/** No reading is before the last time on the log. */
function beginningOf({ logClock }: DatabaseTimes): Reading {
  const start = logClock ?? Number.NEGATIVE_INFINITY;
  return { at: start, receivedAt: start };
}

/**
 * Only a correction (`posture clock mend`) sets the clock of the log back. It also ends the promise that no reading is
 * before the wrong ones.
 */
const isSetBack = (before: DatabaseTimes | undefined, { logClock, boundMs }: DatabaseTimes): boolean =>
  before !== undefined && (before.logClock ?? 0) - (logClock ?? 0) > boundMs;
