import { describe, expect, it } from '@jest/globals';
import type { ChangeEvent } from '#libs/contracts';
import { changeAttributes, tombstoneOf } from './change-record.ts';

const KINDS = ['finding', 'asset', 'score'] as const;
type Kind = (typeof KINDS)[number];

interface Facts {
  sequence?: number;
  partition?: number;
  /** Of the intake event after it; a score has none. */
  eventId?: string;
  /** Epoch ms. */
  at?: number;
  /** Values of the moment of publication. */
  lastSeen?: number;
}

/** As much of a change as names it. */
function changeOf(kind: Kind, given: Facts): ChangeEvent {
  const { sequence = 7, partition = 0, eventId = 'e1', at = 1, lastSeen = 1 } = given;
  const told = { name: 'updated', at, sequence };
  const changed =
    kind === 'score'
      ? { assetId: 'one', score: 8.21, at, change: { ...told, partition } }
      : { id: 'one', lastSeen, change: { ...told, cause: { eventId }, position: { partition, offset: 3 } } };
  return { kind, changed } as unknown as ChangeEvent;
}

const idOf = (kind: Kind, facts: Facts = {}) => changeAttributes(changeOf(kind, facts)).ce_id;

describe('the id of a change', () => {
  it.each<[Kind, string, Facts]>([
    ...KINDS.flatMap((kind): [Kind, string, Facts][] => [
      [kind, 'the next one of its cause', { sequence: 8 }],
      [kind, 'one of another partition', { partition: 1 }],
      [kind, 'one that a restored site comes to under its number', { eventId: 'e2', at: 2 }],
    ]),
    ['finding', 'one that it comes to at the same instant', { eventId: 'e2' }],
    ['asset', 'one that it comes to at the same instant', { eventId: 'e2' }],
  ])('of a %s is not that of %s', (kind, _, facts) => {
    expect(idOf(kind, facts)).not.toBe(idOf(kind));
  });

  it('is not that of another kind, nor of the tombstone after it', () => {
    const { headers } = tombstoneOf(changeOf('asset', {}) as Extract<ChangeEvent, { kind: 'asset' }>);
    expect(new Set([...KINDS.map((kind) => idOf(kind)), headers!.ce_id]).size).toBe(4);
  });

  it('follows from the log, whenever it is published', () => {
    expect(idOf('finding', { lastSeen: 2 })).toBe(idOf('finding'));
    expect(idOf('asset', { lastSeen: 2 })).toBe(idOf('asset'));
  });
});
