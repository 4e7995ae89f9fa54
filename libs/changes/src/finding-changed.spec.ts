import { describe, expect, it } from '@jest/globals';
import { instance, Scenario, signal, T0, upload } from '../../../test/support/scenario.ts';
import {
  BODY_BYTES_MAX,
  type FindingHistoryRow,
  findingChanged,
  KEY_CHARACTERS_MAX,
} from './finding-changed.ts';

function rowOf(keys: string[], bytes: number): FindingHistoryRow {
  const scenario = new Scenario().fold(...upload(1, T0, [signal('a')]));
  const instances = keys.map((key) => instance('fail', { key, evidence: 'seen', tags: { t: ['x'] } }));
  return {
    sequence: 1,
    at: T0,
    change: 'created',
    from_state: null,
    to_state: 'Failed',
    reason: null,
    cause: {
      kind: 'zip',
      eventId: 'e',
      uploadId: null,
      entry: null,
      syncId: null,
      user: null,
      requestId: null,
    },
    log_offset: 0,
    body: { ...scenario.finding('a')!, instances },
    bytes,
    asset_id: 'asset',
    asset_name: 'web01',
    last_seen: T0,
    expires_at: T0,
  };
}

describe('a finding after a change', () => {
  it('is published completely up to 1 MB', () => {
    const told = findingChanged(rowOf(['1', '2'], BODY_BYTES_MAX), 0);
    expect(told).toMatchObject({ abridged: false, instanceCount: 2 });
    expect(told.instances).toEqual(
      ['1', '2'].map((key) => ({
        key,
        status: 'Failed',
        counted: true,
        evidence: 'seen',
        tags: { t: ['x'] },
      })),
    );
  });

  it('is abridged above, and says so', () => {
    const keys = Array.from({ length: 3 }, (_, i) => `${i}`.repeat(KEY_CHARACTERS_MAX / 2));
    const told = findingChanged(rowOf(keys, BODY_BYTES_MAX + 1), 0);
    expect(told).toMatchObject({ abridged: true, instanceCount: 3 });
    expect(told.instances.map(({ key }) => key)).toEqual(keys.slice(0, 2));
    expect(told.instances[0]).toMatchObject({ evidence: null, tags: {} });
  });

  it('counts for scoring if its catalogue says so', () => {
    const row = rowOf(['1'], 1);
    row.body.instances[0]!.techniques = ['T1059.001'];
    expect(findingChanged(row, 0)).toMatchObject({ counted: true, notCountedBecause: null });
  });
});
