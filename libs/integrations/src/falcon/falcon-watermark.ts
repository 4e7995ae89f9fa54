import { isoTimeOrNull } from '#libs/domain';
import { instantOf, isObject, type Json, objectOf } from '../json-values.ts';

export type SectionName = 'hosts' | 'alerts';

/** How far each of the two was pulled, epoch milliseconds of the platform's clock; null: not at all. */
export interface FalconMarks extends Record<SectionName, number | null> {
  /** Pulls that have moved the mark and have not ended: only their last page shows whether records are missing. */
  begun: Partial<Record<SectionName, BegunPull>>;
}

interface BegunPull {
  /** The mark with which it began. */
  from: number | null;
  /** Distinct records that changed before the present mark. */
  received: number;
}

/** The platform shows a change a little after its time: a delta begins so long before the watermark. */
const OVERLAP_MS = 10 * 60_000;
/** How far the clocks of the platform may differ: less than the overlap, which a mark ahead of the answer shortens. */
const AHEAD_MS_MAX = 2 * 60_000;

/** The start of a pull. @throws SyntaxError if it is no watermark of this platform */
export function readMarks(watermark: string | null): FalconMarks {
  const marks: unknown = watermark === null ? null : JSON.parse(watermark);
  if (!isObject(marks)) return { hosts: null, alerts: null, begun: {} };
  const begun: FalconMarks['begun'] = {};
  for (const name of ['hosts', 'alerts'] as const) {
    const { from, received } = objectOf(objectOf(marks.begun)[name]);
    if (typeof received === 'number') begun[name] = { from: instantOf(from), received };
  }
  return { hosts: instantOf(marks.hosts), alerts: instantOf(marks.alerts), begun };
}

/** The watermark; null: nothing was pulled. */
export const writeMarks = ({ hosts, alerts, begun }: FalconMarks): string | null =>
  hosts === null && alerts === null
    ? null
    : JSON.stringify({
        hosts: isoTimeOrNull(hosts),
        alerts: isoTimeOrNull(alerts),
        begun: { hosts: writtenPull(begun.hosts), alerts: writtenPull(begun.alerts) },
      });

const writtenPull = (pull: BegunPull | undefined) =>
  pull && { from: isoTimeOrNull(pull.from), received: pull.received };

export const sinceWithOverlap = (mark: number | null): number | null =>
  mark === null ? null : Math.max(0, mark - OVERLAP_MS);

/**
 * Follows the changes in a pull. Times are the platform's own, so that no clock of ours can leave a gap. As long as
 * the pages come in the order of changes, each one moves the mark; if they do not, only the end does.
 */
export class ChangeMark {
  private greatest: number;
  private isSorted = true;
  private newest = 0;
  /** Noted records that changed at `greatest`: the next page may have more of them. */
  private atGreatest = 0;

  constructor(
    private readonly since: number | null,
    private readonly field: string,
  ) {
    this.greatest = since ?? 0;
  }

  /**
   * A record that is dated after its answer moves no mark: nothing would be pulled until then.
   * @param answeredAt by the platform's clock
   */
  note(records: readonly Json[], answeredAt: number): void {
    for (const record of records) {
      const at = instantOf(record[this.field]);
      if (at === null || at > answeredAt + AHEAD_MS_MAX) continue;
      if (at < this.newest) this.isSorted = false;
      this.newest = Math.max(this.newest, at);
      if (at > this.greatest) this.atGreatest = 0;
      this.greatest = Math.max(this.greatest, at);
      if (at === this.greatest) this.atGreatest++;
    }
  }

  /** Of the received records, those before the mark. */
  before(received: number): number {
    return received - this.atGreatest;
  }

  /** The start of the next pull, after all noted records are applied; `isWhole`: the pull is complete. */
  at(isWhole: boolean): number | null {
    if (this.greatest === 0) return this.since;
    return isWhole || this.isSorted ? this.greatest : this.since;
  }
}
