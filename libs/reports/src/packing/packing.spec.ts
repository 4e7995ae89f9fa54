import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ZipLimits } from '#libs/signal-zips';
import type { Finding } from '../format.ts';
import { Ledger } from '../ledger.ts';
import type { AssetMatching } from './entity-assets.ts';
import { type SignalEntry, signalIn } from './signal-entry.ts';
import { SpilledFindings } from './spilled-findings.ts';
import { ZipPacker } from './zip-packer.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'posture-packing-'));
});
afterAll(() => rm(dir, { recursive: true }));

const spilledFindings = async (matching: AssetMatching) =>
  new SpilledFindings(await mkdtemp(join(dir, 'spilled-')), matching);

const LIMITS: ZipLimits = { zipBytesMax: 20_000, unpackedBytesMax: 10_000_000, entriesMax: 100 };

/** Text that hardly compresses, the same in every run. */
function noise(length: number, seed: number): string {
  let state = seed + 1;
  let text = '';
  while (text.length < length) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    text += state.toString(36);
  }
  return text.slice(0, length);
}

const finding = (asset: string, name: string, over: Partial<Omit<Finding, 'asset'>> = {}) => ({
  kind: 'finding' as const,
  place: `at ${name}`,
  asset: { name: asset },
  source: 'test',
  type: 'va' as const,
  name,
  status: 'fail' as const,
  severity: { level: 'high' as const },
  ...over,
});

interface PackRules {
  splitsAssets?: boolean;
  matching?: AssetMatching;
}

async function pack(
  findings: ReturnType<typeof finding>[],
  { splitsAssets = false, matching = 'name' }: PackRules = {},
) {
  const ledger = new Ledger(null);
  const spilled = await spilledFindings(matching);
  const zips: SignalEntry[][] = [];
  const packer = new ZipPacker(ledger, async (entries) => void zips.push(entries), {
    splitsAssets,
    source: 'test',
    limits: LIMITS,
  });
  for (const each of findings) {
    ledger.read += 1;
    await spilled.addFinding('file', each);
  }
  for await (const group of spilled.groups()) await packer.add(group);
  await packer.close();
  ledger.assertComplete();
  return { ledger, packer, zips };
}

const assetsOf = (entries: SignalEntry[]): string[] => [
  ...new Set(entries.map(({ entityKey }) => entityKey)),
];

describe('packing', () => {
  it('keeps each asset in one ZIP, however the reports interleave them', async () => {
    const findings = Array.from({ length: 60 }, (_, i) =>
      finding(`host${i % 12}`, `weakness ${i}`, { evidence: noise(1_500, i) }),
    );
    const { zips, packer, ledger } = await pack(findings);
    expect(zips.length).toBeGreaterThan(2);
    const seen = zips.flatMap(assetsOf);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength(12);
    expect({ signals: packer.signals, assets: packer.assets }).toEqual({ signals: 60, assets: 12 });
    expect(ledger).toMatchObject({ read: 60, mapped: 60, listed: 0 });
  });

  it('takes names that mean one asset for one (R-ENT-3), findings of one name for instances (R-FIND-1)', async () => {
    const { zips, ledger } = await pack([
      finding('WEB01.halden.example.', 'Weak', { port: 443, protocol: 'tcp' }),
      finding('web01', ' weak ', { port: 80, protocol: 'tcp' }),
      finding('web01', 'weak', { port: 80, protocol: 'tcp' }),
      finding('web01', 'weak', { type: 'ca' }),
    ]);
    const signals = zips.flat().map(signalIn);
    expect(
      signals.map(({ entity, securityContexts, securityContext }) => [
        entity.name,
        securityContexts?.map(({ port }) => port) ?? securityContext?.type,
      ]),
    ).toEqual([
      ['WEB01.halden.example.', 'ca'],
      ['WEB01.halden.example.', [443, 80]],
    ]);
    expect(ledger).toMatchObject({ mapped: 4, repeated: 1 });
  });

  describe('FQDNs of one host name (R-ASSET-2)', () => {
    const twoShops = [
      finding('www.shop.example', 'Weak', { port: 443 }),
      finding('WWW.bank.example.', 'Weak', { port: 443, status: 'pass' as const }),
      finding('www', 'Also', { evidence: 'of one of them' }),
      finding('www.shop.example', 'Weak', { port: 80 }),
    ];
    const told = ({ zips }: Awaited<ReturnType<typeof pack>>) =>
      zips.map((entries) =>
        entries
          .map(signalIn)
          .map(({ entity, name, securityContexts }) => [
            entity.name,
            name,
            securityContexts?.map(({ port }) => port),
          ]),
      );

    it('are one asset as in a service by default, which is noted', async () => {
      const packed = await pack(twoShops);
      expect(told(packed)).toEqual([
        [
          ['www.shop.example', 'Also', undefined],
          ['www.shop.example', 'Weak', [443, 443, 80]],
        ],
      ]);
      expect(packed.packer.assets).toBe(1);
      expect(packed.ledger.notes).toEqual([
        { text: expect.stringMatching(/FQDNs are merged into one asset.*asset matching by FQDN/), count: 1 },
      ]);
    });

    it('are separate if the service separates them, in one ZIP; a bare name is last', async () => {
      const packed = await pack(twoShops, { matching: 'fqdn' });
      expect(told(packed)).toEqual([
        [
          ['WWW.bank.example.', 'Weak', [443]],
          ['www.shop.example', 'Weak', [443, 80]],
          ['www', 'Also', undefined],
        ],
      ]);
      expect(packed.packer.assets).toBe(3);
      expect(packed.ledger.notes).toEqual([]);
    });

    it('keep their own addresses and their own descriptions', async () => {
      const spilled = await spilledFindings('fqdn');
      await spilled.addAsset('file', { name: 'www.shop.example', ipAddresses: ['10.0.0.1'] });
      await spilled.addAsset('file', { name: 'www.bank.example', ipAddresses: ['10.0.0.2'] });
      await spilled.addAsset('file', { name: 'www.shop.example', os: 'Linux' });
      const groups = [];
      for await (const { assets } of spilled.groups()) groups.push(assets.all);
      expect(groups).toMatchObject([
        [
          { name: 'www.shop.example', ipAddresses: ['10.0.0.1'], os: 'Linux' },
          { name: 'www.bank.example', ipAddresses: ['10.0.0.2'] },
        ],
      ]);
    });

    it('have a bare name if there is only one', async () => {
      const findings = [
        finding('www.shop.example', 'Weak', { port: 443 }),
        finding('www', 'Weak', { port: 80 }),
      ];
      expect(told(await pack(findings, { matching: 'fqdn' }))).toEqual([
        [['www.shop.example', 'Weak', [80, 443]]],
      ]);
    });
  });

  it('keeps the first of too many ids and tags, and reports it', async () => {
    const many = Array.from({ length: 501 }, (_, i) => i);
    const { zips, ledger } = await pack([
      finding('web', 'patches', {
        cves: many.map((i) => `CVE-2024-${10_000 + i}`),
        techniques: many.map((i) => `T${1_000 + i}`),
        standards: { ids: many.map(String), ...Object.fromEntries(many.map((i) => [`s-${i}`, ['1']])) },
        tags: { values: many.map(String), ...Object.fromEntries(many.map((i) => [`t-${i}`, ['1']])) },
      }),
    ]);
    const context = signalIn(zips[0]![0]!).securityContext!;
    expect(context.attackPattern).toHaveLength(500);
    expect(context.standardsMapping).toHaveLength(1 + 50);
    for (const { value } of context.standardsMapping!.slice(0, 2)) expect(value).toHaveLength(500);
    expect(Object.keys(context.tags!)).toHaveLength(50);
    expect(context.tags!.values).toHaveLength(50);
    expect(ledger.notes.map(({ text }) => text).sort()).toEqual([
      'CVEs of an instance: only the first 500 are kept',
      'ids of a standard: only the first 500 are kept',
      'standards of an instance: only the first 50 are kept',
      'tags: only the first 50 are kept',
      'techniques of an instance: only the first 500 are kept',
      'values of a tag: only the first 50 are kept',
    ]);
  });

  it('leaves out tags that would name an instance, and reports it', async () => {
    const tags = { Port: ['443'], protocol: ['tcp'], detectionId: ['1'], owner: ['ana'] };
    const { zips, ledger } = await pack([finding('web', 'weak', { tags })]);
    expect(signalIn(zips[0]![0]!).securityContext!.tags).toEqual({ owner: ['ana'] });
    expect(ledger.notes.map(({ text }) => text).sort()).toEqual([
      'tag Port left out: it would name an instance',
      'tag detectionId left out: it would name an instance',
      'tag protocol left out: it would name an instance',
    ]);
  });

  it('cuts the texts of an asset that does not fit one ZIP, and says so', async () => {
    const findings = Array.from({ length: 8 }, (_, i) =>
      finding('big', `w${i}`, { evidence: noise(9_000, i) }),
    );
    const { zips, ledger } = await pack(findings);
    expect(zips).toHaveLength(1);
    expect(ledger).toMatchObject({ mapped: 8, listed: 0 });
    expect(ledger.notes[0]!.text).toBe('does not fit in one ZIP: its texts are cut to 2000 characters');
    const texts = zips[0]!.map((entry) => signalIn(entry).securityContext!.evidence!.observationText!.length);
    expect(texts).toEqual(Array.from({ length: 8 }, () => 2_000));
  });

  it.each([1, 201])(
    'lists all findings of one that does not fit, with texts of %i characters',
    async (length) => {
      const text = '-'.repeat(length);
      const findings = Array.from({ length: 150 }, (_, i) =>
        finding('huge', noise(200, i), { description: text, impact: text, remediation: text }),
      );
      const { ledger } = await pack(findings);
      expect(ledger).toMatchObject({ read: 150, mapped: 0, listed: 150 });
    },
  );

  it('lists the findings of one that must be in one ZIP and cannot, and spreads them otherwise', async () => {
    const findings = [
      ...Array.from({ length: 150 }, (_, i) => finding('huge', noise(200, i))),
      finding('small', 'weak'),
    ];
    const whole = await pack(findings);
    expect(whole.ledger).toMatchObject({ mapped: 1, listed: 150 });
    expect(whole.ledger.notMapped[0]!.text).toMatch(/does not fit in one ZIP/);
    expect(whole.packer.assets).toBe(1);
    expect(whole.zips.flatMap(assetsOf)).toEqual(['machine:small']);
    const split = await pack(findings, { splitsAssets: true });
    expect(split.ledger).toMatchObject({ mapped: 151, listed: 0 });
    expect(split.zips.length).toBeGreaterThan(1);
    expect(split.packer.assets).toBe(2);
  });

  it('spreads an asset without cutting its texts, and notes it once', async () => {
    const findings = Array.from({ length: 8 }, (_, i) =>
      finding('big', `w${i}`, { evidence: noise(9_000, i) }),
    );
    const { zips, ledger } = await pack(findings, { splitsAssets: true });
    expect(zips.length).toBeGreaterThan(1);
    expect(ledger.notes).toEqual([{ text: 'does not fit in one ZIP: split across several', count: 1 }]);
    const texts = zips
      .flat()
      .map((entry) => signalIn(entry).securityContext!.evidence!.observationText!.length);
    expect(texts).toEqual(Array.from({ length: 8 }, () => 9_000));
  });

  it('names every FQDN before a bare name if they are in several ZIPs', async () => {
    const { zips } = await pack(
      [
        finding('www', 'a weakness'),
        ...Array.from({ length: 8 }, (_, i) =>
          finding('www.shop.example', `b${i}`, { evidence: noise(9_000, i) }),
        ),
        finding('www.bank.example', 'c weakness'),
      ],
      { splitsAssets: true, matching: 'fqdn' },
    );
    const names = zips.flat().map((entry) => signalIn(entry).entity.name);
    expect(names.indexOf('www')).toBeGreaterThan(names.indexOf('www.bank.example'));
    expect(zips.length).toBeGreaterThan(1);
    expect(zips.at(-1)!.map(({ asset }) => asset.name)).toContain('www.bank.example');
  });

  it('divides a finding with more instances than one signal can have', async () => {
    const findings = Array.from({ length: 5_001 }, (_, i) =>
      finding('web', 'weak', { detectionId: `#${i}` }),
    );
    const { zips, ledger } = await pack(findings);
    const signals = zips.flat().map(signalIn);
    expect(signals.map(({ name }) => name)).toEqual(expect.arrayContaining(['weak', 'weak [2]']));
    expect(signals.reduce((sum, { securityContexts }) => sum + securityContexts!.length, 0)).toBe(5_001);
    expect(ledger).toMatchObject({ mapped: 5_001, listed: 0 });
  });

  it('does not divide a full one for an instance that it has', async () => {
    const findings = Array.from({ length: 5_001 }, (_, i) =>
      finding('web', 'weak', { detectionId: `#${i % 5_000}` }),
    );
    const { zips, ledger } = await pack(findings);
    expect(zips.flat().map((entry) => signalIn(entry).name)).toEqual(['weak']);
    expect(ledger).toMatchObject({ mapped: 5_001, repeated: 1, notes: [] });
  });

  it('truncates long texts, and reports each', async () => {
    const long = 'x'.repeat(50_000);
    const { zips, ledger } = await pack([
      finding('web', `${long}1`, { description: long, evidence: long, detectionId: long }),
      finding('web', `${long}2`, { detectionId: `${long}2` }),
    ]);
    const [first, second] = zips.flat().map(signalIn);
    expect(first!.name).toHaveLength(1_000);
    expect(first!.name).not.toBe(second!.name);
    expect(first!.description).toHaveLength(32_768);
    expect(ledger.notes.map(({ text }) => text).sort()).toEqual([
      'description cut to 32768 characters',
      'evidence cut to 16384 characters',
      'id cut to 200 characters',
      'name cut to 1000 characters',
    ]);
  });
});
