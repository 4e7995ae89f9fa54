import { describe, expect, it } from '@jest/globals';
import { ChangeCodec, FINDINGS_TOPIC } from '#libs/contracts';
import { instance, Scenario, signal, T0, upload } from '../../../test/support/scenario.ts';
import {
  BODY_BYTES_MAX,
  type FindingHistoryRow,
  findingChanged,
  ID_CHARACTERS_MAX,
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

  it('has the first of its CVEs and techniques if abridged, so that a batch of Kafka can contain it', () => {
    const row = rowOf(['1', '2', '3', '4', '5'], BODY_BYTES_MAX + 1);
    const cves = row.body.instances.map((_, at) => {
      return Array.from({ length: 63_000 }, (_, i) => `CVE-${2020 + at}-${100_000 + i}`);
    });
    row.body.instances.forEach((instance, at) => {
      instance.cves = cves[at]!;
      instance.techniques = cves[at]!.map((cve) => cve.replace('CVE', 'Ü'));
    });
    const told = findingChanged(row, 0);
    expect(told).toMatchObject({ abridged: true, counted: true });
    expect(told.cves).toEqual(cves[0]!.slice(0, Math.floor(ID_CHARACTERS_MAX / 'CVE-2020-100000'.length)));
    expect(told.techniques.join('').length).toBeLessThanOrEqual(ID_CHARACTERS_MAX);
    const value = new ChangeCodec(FINDINGS_TOPIC).encode({ kind: 'finding', changed: told });
    expect(value.length).toBeLessThan(1024 * 1024);
  });

  it('counts for scoring if its catalogue says so', () => {
    const row = rowOf(['1'], 1);
    row.body.instances[0]!.techniques = ['T1059.001'];
    expect(findingChanged(row, 0)).toMatchObject({ counted: true, notCountedBecause: null });
  });
});
