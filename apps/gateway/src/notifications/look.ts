/** A finding, and the instant at which it is due or its acceptance ends, in epoch ms. */
export interface TimedFinding {
  id: string;
  at: number;
}

/** What a look at one kind has found. */
export interface Look<Found = TimedFinding> {
  findings: readonly Found[];
  /** False: there are more than a look reads. */
  isWhole: boolean;
}

/**
 * Ids of the findings that the look before did not find: their time has come, or the time, the state or the assignee has
 * changed. Without a whole look before: of those whose time is after one instant and until another, in epoch ms.
 */
export function newlyFound(
  { findings, isWhole }: Look,
  before: Look<string> | undefined,
  [after, until]: readonly [number, number],
): string[] {
  const known = isWhole && before?.isWhole === true ? new Set(before.findings) : null;
  const isNew = ({ id, at }: TimedFinding) => (known === null ? at > after && at <= until : !known.has(id));
  return findings.filter(isNew).map(({ id }) => id);
}
