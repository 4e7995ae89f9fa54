import type { FindingAct } from '#libs/domain';

/** An act without the finding that it is on. */
export type ActOf<A extends FindingAct> = A extends FindingAct ? Omit<A, 'findingId' | 'seenVersion'> : never;

/** The act on a finding. @param version that the caller read; null: any */
export const actOn = (findingId: string, version: number | null, act: ActOf<FindingAct>): FindingAct => ({
  ...act,
  findingId,
  seenVersion: version,
});
