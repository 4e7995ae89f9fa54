import type { UploadChanges } from '#libs/domain';
import type { ChangedKind } from './upload-changes.dto.ts';

/** A place in the changes of an upload: assets before findings, then by partition, then by sequence. */
export interface ChangePlace {
  kind: ChangedKind;
  partition: number;
  sequence: number;
}

/** A run of sequences of one history, in which the changes of an upload are. */
export interface Run {
  kind: ChangedKind;
  partition: number;
  first: number;
  last: number;
}

/**
 * The runs of an upload that a page has to read, in order.
 * @param partitions of the upload, ascending
 * @param from the first place that is not on the pages before; null: the beginning
 */
export function unreadRuns(
  partitions: readonly { partition: number; changes: UploadChanges }[],
  kinds: readonly ChangedKind[],
  from: ChangePlace | null,
): Run[] {
  const runs = kinds.flatMap((kind) =>
    partitions.flatMap(({ partition, changes }) => runsOf(kind, partition, changes)),
  );
  return from === null ? runs : runs.flatMap((run) => rest(run, from));
}

/** The first of the runs: of one kind, and with at most `span` sequences; and the others. */
export function takeRuns(runs: readonly Run[], span: number): { taken: Run[]; left: Run[] } {
  const taken: Run[] = [];
  let room = span;
  for (const [i, run] of runs.entries()) {
    if (room === 0 || run.kind !== runs[0]!.kind) return { taken, left: runs.slice(i) };
    const last = Math.min(run.last, run.first + room - 1);
    taken.push({ ...run, last });
    room -= last - run.first + 1;
    if (last < run.last) return { taken, left: [{ ...run, first: last + 1 }, ...runs.slice(i + 1)] };
  }
  return { taken, left: [] };
}

function runsOf(kind: ChangedKind, partition: number, changes: UploadChanges): Run[] {
  const bounds = kind === 'asset' ? changes.assets : changes.findings;
  return bounds.flatMap((first, i) =>
    i % 2 === 0 ? [{ kind, partition, first, last: bounds[i + 1]! }] : [],
  );
}

/** Kinds are in the order of their names. */
function rest(run: Run, { kind, partition, sequence }: ChangePlace): Run[] {
  if (run.kind !== kind) return run.kind > kind ? [run] : [];
  if (run.partition !== partition) return run.partition > partition ? [run] : [];
  return run.last < sequence ? [] : [{ ...run, first: Math.max(run.first, sequence) }];
}
