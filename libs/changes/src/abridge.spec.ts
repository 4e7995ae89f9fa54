import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ASSETS_TOPIC, ChangeCodec, type ChangeEvent, FINDINGS_TOPIC } from '#libs/contracts';
import type { Asset, Finding, ObservedInstance, Tags } from '#libs/domain';
import { assetRow, findingRow } from '../../../test/fixtures/changes/history-rows.ts';
import { instance, Scenario, signal, T0, upload } from '../../../test/support/scenario.ts';
import { SEND_BYTES_MAX } from '../../event-log/src/kafka/limits.ts';
import { sizeOf } from '../../event-log/src/kafka/to-message.ts';
import { PART_BYTES_MAX, STATE_BYTES_MAX } from './abridge.ts';
import { assetChanged } from './asset-changed.ts';
import { changeJson } from './change-json.ts';
import { changeRecord } from './change-record.ts';
import { findingChanged } from './finding-changed.ts';

const run = new Scenario().fold(...upload(1, T0, [signal('a')]));
const plainFinding = run.finding('a')!;
const plainAsset = run.entity.assets[0]!.asset;

const codecs = { finding: new ChangeCodec(FINDINGS_TOPIC), asset: new ChangeCodec(ASSETS_TOPIC) };
const findingOf = (given: Partial<Finding>, bytes?: number) =>
  findingChanged(findingRow({ ...plainFinding, ...given }, bytes), 0);
const assetOf = (given: Partial<Asset>) => assetChanged(assetRow({ ...plainAsset, ...given }), 0);

/** @throws RangeError */
const recordBytes = (event: Exclude<ChangeEvent, { kind: 'score' }>) =>
  sizeOf(changeRecord(event, codecs[event.kind]));
const jsonBytes = (value: object) => Buffer.byteLength(changeJson(value));

describe('a finding', () => {
  const seen = (key: string) => instance('fail', { key, evidence: 'seen', tags: { t: ['x'] } });

  it('is published completely up to 1 MB', () => {
    const changed = findingOf({ instances: ['1', '2'].map(seen) }, STATE_BYTES_MAX);
    expect(changed).toMatchObject({ abridged: false, instanceCount: 2 });
    expect(changed.instances).toEqual(
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
    const keys = Array.from({ length: 3 }, (_, i) => `${i}`.repeat(PART_BYTES_MAX.instances * 0.4));
    const changed = findingOf({ instances: keys.map(seen) });
    expect(changed).toMatchObject({ abridged: true, instanceCount: 3 });
    expect(changed.instances.map(({ key }) => key)).toEqual(keys.slice(0, 2));
    expect(changed.instances[0]).toMatchObject({ evidence: null, tags: {} });
  });

  it('has the first of its CVEs and techniques if abridged; all count', () => {
    const cves = Array.from({ length: 63_000 }, (_, i) => `CVE-2020-${100_000 + i}`);
    const techniques = cves.map((cve) => cve.replace('CVE', 'Ü'));
    const changed = findingOf({ instances: [instance('fail', { cves, techniques })] });
    expect(changed).toMatchObject({ abridged: true, counted: true });
    expect(changed.cves).toEqual(cves.slice(0, Math.floor(PART_BYTES_MAX.ids / '"CVE-2020-100000",'.length)));
    expect(jsonBytes(changed.techniques)).toBeLessThan(PART_BYTES_MAX.ids + 2);
  });

  it('has texts as long as one signal can have them, also if abridged', () => {
    const long = 'x'.repeat(262_144);
    const remediation = { description: long, reference: 'r'.repeat(10_000), impact: long };
    const changed = findingOf({ description: long, remediation, extra: long });
    expect(changed).toMatchObject({ abridged: true, description: long, remediation });
  });

  it('fits a record if uploads have merged 270,000 short keys of 3 bytes a character into it', () => {
    const plain = instance('unknown');
    const instances = Array.from({ length: 270_000 }, (_, i) => ({
      ...plain,
      key: String.fromCharCode(0x4e00 + (i % 10_000), 0x4e00 + Math.floor(i / 10_000)),
    }));
    const changed = findingOf({ instances }, 2 * STATE_BYTES_MAX);
    expect(changed).toMatchObject({ abridged: true, instanceCount: 270_000 });
    expect(recordBytes({ kind: 'finding', changed })).toBeLessThan(PART_BYTES_MAX.instances);
  });
});

describe('an asset', () => {
  it('fits a record if each of five uploads adds tags of 900 KB', () => {
    const uploads = Array.from({ length: 5 }, (_, n) => {
      const keys = Array.from({ length: 14 }, (_, i) => `${n}-${10 + i}`);
      const tags = Object.fromEntries(keys.map((key) => [key, [key.padEnd(65_536, 'x')]]));
      const one = signal('a');
      return upload(n + 1, T0 + n, [{ ...one, entity: { ...one.entity, tags } }]);
    });
    const { asset } = new Scenario().fold(...uploads.flat()).entity.assets[0]!;
    expect(Object.keys(asset.tags)).toHaveLength(70);
    const changed = assetOf(asset);
    const keys = ['0-10', '0-11', '0-12', '0-13', '0-14', '0-15', '0-16'];
    expect([changed.abridged, Object.keys(changed.tags)]).toEqual([true, keys]);
    expect(recordBytes({ kind: 'asset', changed })).toBeLessThan(STATE_BYTES_MAX);
  });

  it('is published completely up to 1 MB', () => {
    const tags = { t: ['x'.repeat(STATE_BYTES_MAX / 2)], u: ['x'.repeat(STATE_BYTES_MAX / 4)] };
    expect(assetOf({ tags })).toMatchObject({ abridged: false, tags });
  });
});

/** Up to 6 MB in texts of one length, of characters that have from 1 to 4 bytes, or are longer in JSON. */
const texts: fc.Arbitrary<string[]> = fc
  .record({
    character: fc.constantFrom('a', 'ä', '中', '😀', '"', '\u0001', '\ud800'),
    length: fc.constantFrom(1, 2, 20, 1_000, 65_536, 262_144),
    characters: fc.constantFrom(0, 1_000, 100_000, 2_000_000),
  })
  .map(({ character, length, characters }) =>
    Array<string>(Math.ceil(characters / length)).fill(character.repeat(length)),
  );
/** Keys differ. */
const tags: fc.Arbitrary<Tags> = fc
  .record({ keys: texts, values: texts })
  .map(({ keys, values }) =>
    Object.fromEntries(
      keys
        .slice(0, 10_000)
        .map((key, i) => [`${i}${key}`, values.slice(i, i + Math.ceil(values.length / keys.length))]),
    ),
  );
const text = texts.map((all) => all[0]?.slice(0, 262_144) ?? null);

describe('a stored row of any size', () => {
  const instances: fc.Arbitrary<ObservedInstance[]> = fc
    .record({ keys: texts, status: fc.constantFrom('pass', 'fail', 'unknown'), ids: texts, tags })
    .map(({ keys, status, ids, tags }) =>
      keys
        .slice(0, 50_000)
        .map((key, i) => instance(status, i > 0 ? { key } : { key, cves: ids, techniques: ids, tags })),
    );

  it('of a finding fits a record', () => {
    const remediation = fc.record({ description: text, reference: text, impact: text });
    const findings = fc.record({ description: text, remediation: fc.option(remediation), instances });
    fc.assert(
      fc.property(findings, (given) => {
        const changed = findingOf(given);
        expect(jsonBytes(changed)).toBeLessThan(SEND_BYTES_MAX);
        recordBytes({ kind: 'finding', changed });
      }),
      { numRuns: 10 },
    );
  });

  it('of an asset fits a record', () => {
    const assets = fc.record({
      aliases: texts,
      ipAddresses: texts,
      macAddresses: texts,
      sources: texts,
      tags,
      customFields: tags,
    });
    fc.assert(
      fc.property(assets, (given) => {
        const changed = assetOf(given);
        expect(jsonBytes(changed)).toBeLessThan(SEND_BYTES_MAX);
        recordBytes({ kind: 'asset', changed });
      }),
      { numRuns: 10 },
    );
  });
});
