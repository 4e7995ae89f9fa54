import { isoTimeOrNull } from '#libs/domain';
import { instantOf, isObject, type Json } from '../json-values.ts';

/** How far each of the two was pulled, epoch milliseconds of the platform's clock; null: not at all. */
export interface FalconMarks {
  hosts: number | null;
  alerts: number | null;
}

/** The platform shows a change a little after its time: a delta begins so long before the watermark. */
const OVERLAP_MS = 10 * 60_000;
/** How far the clocks of the platform may differ: less than the overlap, which a mark ahead of the answer shortens. */
const AHEAD_MS_MAX = 2 * 60_000;

/** The start of a pull. @throws SyntaxError if it is no watermark of this platform */
export function readMarks(watermark: string | null): FalconMarks {
  const marks: unknown = watermark === null ? null : JSON.parse(watermark);
  return isObject(marks)
    ? { hosts: instantOf(marks.hosts), alerts: instantOf(marks.alerts) }
    : { hosts: null, alerts: null };
}

/** The watermark; null: nothing was pulled. */
export const writeMarks = ({ hosts, alerts }: FalconMarks): string | null =>
  hosts === null && alerts === null
    ? null
    : JSON.stringify({ hosts: isoTimeOrNull(hosts), alerts: isoTimeOrNull(alerts) });

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
      this.greatest = Math.max(this.greatest, at);
    }
  }

  /** The start of the next pull, after all noted records are applied; `isWhole`: the pull is complete. */
  at(isWhole: boolean): number | null {
    if (this.greatest === 0) return this.since;
    return isWhole || this.isSorted ? this.greatest : this.since;
  }
}
