import type { Change } from './fold/effects.ts';
import type { UploadChanges } from './state.ts';

/** A kind of change: what changed, by which change, between which states, for which reason. Null for assets. */
export interface ChangeKind {
  kind: Change['kind'];
  change: Change['change'];
  from: string | null;
  to: string | null;
  reason: string | null;
}

/**
 * Runs of one history. Events of other uploads between those of an upload begin a new run. Above this number, the two
 * runs with the fewest changes of others between them become one.
 */
const RUNS_MAX = 8;

export const noUploadChanges = (): UploadChanges => ({ findings: [], assets: [], counts: {} });

/**
 * Adds the next change of an upload, in place. The result depends on the changes only, not on the batches in which they
 * are folded.
 * @param sequence of the change in the history; greater than those before
 */
export function addUploadChange(changes: UploadChanges, change: Change, sequence: number): void {
  const key = keyOf(change);
  changes.counts[key] = (changes.counts[key] ?? 0) + 1;
  extendRuns(change.kind === 'finding' ? changes.findings : changes.assets, sequence);
}

/** The kinds of changes with their numbers, in the order of their first change. */
export const kindsOf = ({ counts }: Pick<UploadChanges, 'counts'>): (ChangeKind & { count: number })[] =>
  Object.entries(counts).map(([key, count]) => ({ ...kindOf(key), count }));

function keyOf(change: Change): string {
  if (change.kind === 'asset') return `asset/${change.change}`;
  const { kind, change: name, from, to, reason } = change;
  return [kind, name, from ?? '', to, reason ?? ''].join('/');
}

function kindOf(key: string): ChangeKind {
  const [kind, change, from, to, reason] = key.split('/') as [Change['kind'], Change['change'], ...string[]];
  return { kind, change, from: from || null, to: to || null, reason: reason || null };
}

function extendRuns(bounds: number[], sequence: number): void {
  if (bounds.at(-1) === sequence - 1) {
    bounds[bounds.length - 1] = sequence;
    return;
  }
  bounds.push(sequence, sequence);
  if (bounds.length > 2 * RUNS_MAX) joinNearest(bounds);
}

function joinNearest(bounds: number[]): void {
  let nearest = 1;
  for (let end = 3; end < bounds.length - 1; end += 2) {
    if (bounds[end + 1]! - bounds[end]! < bounds[nearest + 1]! - bounds[nearest]!) nearest = end;
  }
  bounds.splice(nearest, 2);
}
