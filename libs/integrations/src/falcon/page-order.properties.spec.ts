import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DEFAULT_OS_MAPPING, type IntakePayload, type Signal } from '#libs/domain';
import { readingOf, settingsWith } from '../../../../test/fixtures/integrations/reading.ts';
import { Scenario, T0, upload } from '../../../../test/support/scenario.ts';
import { alertSignals } from './alert-signals.ts';
import { hostSignal } from './host-signal.ts';

const HOST = {
  device_id: 'a'.repeat(32),
  hostname: 'web01',
  machine_domain: 'acme.com',
  os_version: 'Windows Server 2019',
  platform_name: 'Windows',
  local_ip: '10.0.0.5',
  tags: ['FalconGroupingTags/x'],
};

/** Different detections of one host: each is on one page only. */
const detections = fc
  .array(
    fc.record({
      status: fc.constantFrom('new', 'closed', 'reopened'),
      tags: fc.subarray(['true_positive', 'false_positive']),
      severity: fc.integer({ min: 1, max: 100 }),
      technique_id: fc.constantFrom('T1110', 'T1059', 'CST0007', ''),
      display_name: fc.constantFrom('One', 'one ', 'Two'),
      cmdline: fc.constantFrom('a', 'b'),
      timestamp: fc.nat(1_000_000).map((ms) => new Date(T0 + ms).toISOString()),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((list) => list.map((alert, i) => ({ ...alert, composite_id: `cid:ind:${i}` })));

const pagesOf = <T>(items: T[], size: number): T[][] =>
  items.length === 0 ? [] : [items.slice(0, size), ...pagesOf(items.slice(size), size)];

const payload = (signal: Signal): IntakePayload => readingOf(signal, settingsWith('edrsource-tags')).payload;

const alertPage = (page: object[]) =>
  alertSignals(
    page.map((alert) => ({ host: 'web01.acme.com', alert: { ...alert } })),
    'falcon',
  ).map(payload);

/** The state after each page was a separate upload, without times of receipt. */
function folded(pages: IntakePayload[][]) {
  const run = new Scenario();
  for (const [i, page] of pages.entries()) run.fold(...upload(i + 1, T0 + i, page));
  return run.entity.assets.map(({ asset, findings }) => ({
    asset: {
      ...asset,
      version: 0,
      updatedAt: 0,
      firstSeen: 0,
      statements: asset.statements?.map((statement) => ({ ...statement, since: 0 })),
    },
    findings: [...findings.values()]
      .map(({ finding, seen: { lastSeen } }) => ({
        ...{ ...finding, number: 0, version: 0, updatedAt: 0, firstSeen: 0 },
        ...(typeof finding.failedSince === 'number' && { failedSince: 0 }),
        ...(typeof finding.settledAt === 'number' && { settledAt: 0 }),
        name: finding.name.toLowerCase(),
        lastSeen,
      }))
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
  }));
}

describe('pages of a pull', () => {
  const host = [payload(hostSignal(HOST, 'falcon', DEFAULT_OS_MAPPING)!)];

  it('give the same assets, findings and instances in any order, cut anyhow', () => {
    fc.assert(
      fc.property(
        detections,
        fc.integer({ min: 1, max: 12 }),
        fc.infiniteStream(fc.nat()),
        (all, size, picks) => {
          const whole = folded([host, alertPage(all)]);
          const shuffled = all
            .map((alert) => ({ alert, at: picks.next().value as number }))
            .sort((a, b) => a.at - b.at)
            .map(({ alert }) => alert);
          expect(folded([host, ...pagesOf(shuffled, size).map(alertPage)])).toEqual(whole);
          expect(folded([...pagesOf(shuffled, size).map(alertPage), host])).toEqual(whole);
        },
      ),
    );
  });

  it('change nothing when they come again', () => {
    fc.assert(
      fc.property(detections, fc.integer({ min: 1, max: 12 }), (all, size) => {
        const pages = [host, ...pagesOf(all, size).map(alertPage)];
        expect(folded([...pages, ...pages])).toEqual(folded(pages));
      }),
    );
  });

  it('take the tags from an asset whose host has lost them', () => {
    const bare = payload(hostSignal({ ...HOST, tags: [] }, 'falcon', DEFAULT_OS_MAPPING)!);
    const [before, after] = [folded([host]), folded([host, [bare]])];
    expect(before[0]!.asset.customFields).toEqual({ 'edrsource-tags': ['FalconGroupingTags/x'] });
    expect(after[0]!.asset.customFields).toEqual({});
  });

  it('set only the instances that a delta names', () => {
    const alert = { status: 'new', severity: 50, technique_id: 'T1110', tags: [] };
    const both = [
      { ...alert, composite_id: 'cid:ind:1' },
      { ...alert, composite_id: 'cid:ind:2' },
    ];
    const closed = { ...alert, composite_id: 'cid:ind:1', status: 'closed', tags: ['false_positive'] };
    const instancesAfter = (...pages: object[][]) => {
      const [{ findings }] = folded([host, ...pages.map(alertPage)]) as [ReturnType<typeof folded>[0]];
      const [{ state, instances }] = findings as [(typeof findings)[0]];
      return [state, instances.map(({ key, status }) => `${key} ${status}`)];
    };
    expect(instancesAfter(both, [closed])).toEqual(['Failed', ['cid:ind:1 pass', 'cid:ind:2 fail']]);
    const bothClosed = [closed, { ...closed, composite_id: 'cid:ind:2' }];
    expect(instancesAfter(both, bothClosed)).toEqual(['Qualified', ['cid:ind:1 pass', 'cid:ind:2 pass']]);
  });
});
