import type { Ledger } from '../ledger.ts';
import { type FindingRecord, isOverridden } from '../packing/found-record.ts';
import { placeOf } from '../place.ts';

/** All findings but the statements that a later one overrides, which are listed. */
export async function* newestStatements(
  findings: AsyncIterable<FindingRecord>,
  ledger: Ledger,
): AsyncGenerator<FindingRecord> {
  let former: FindingRecord | null = null;
  for await (const record of findings) {
    if (former && isOverridden(former, record))
      await ledger.list(placeOf(former.file, former.finding), 'overridden by a later statement');
    else if (former) yield former;
    former = record;
  }
  if (former) yield former;
}
