import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  DEFAULT_SETTINGS,
  type IntakeEvent,
  readingAt,
  readSignal,
  type Settings,
  type Signal,
} from '#libs/domain';
import { UploadEvents, UploadPlanner } from '#libs/uploads';
import { runConvert } from '../fixtures/convert/run-convert.ts';
import { foldByDomain } from '../support/domain-fold.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'posture-matching-'));
});
afterAll(() => rm(dir, { recursive: true }));

const AT = 1_767_312_000_000;
const report = JSON.stringify({
  findings: [
    {
      title: 'Weak',
      severity: 'High',
      endpoints: ['https://www', 'https://www.shop.example', 'https://www.bank.example'],
    },
  ],
});

/** Each asset with its observations, as a service with this setting folds the signals of one ZIP. */
function assetsOf(signals: Signal[], assetMatching: Settings['assetMatching']) {
  const rules = { importAssets: true, updateMetadata: true, overrideAccepted: false };
  const settings = { ...DEFAULT_SETTINGS, assetMatching };
  const read = signals.map((signal) => {
    const answer = readSignal(signal, { route: 'zip', receivedAt: AT, rules, settings });
    if (!answer.ok) throw new Error(JSON.stringify(answer.problems));
    return answer;
  });
  const planner = new UploadPlanner({
    partitions: 1,
    fullAssessmentForTypes: ['va'],
    assetMatchingCriteria: [],
  });
  for (const each of read) planner.add(each);
  const context = {
    uploadId: '0b1f7c9e-52a7-4a39-9a5c-8f3f0d1f7a12',
    kind: 'zip' as const,
    ...readingAt(AT),
    user: 'ana',
    requestId: 'r-1',
    settingsVersion: 0,
    partitions: 1,
  };
  const events = new UploadEvents(context, planner.finish([]));
  const logged = read.flatMap(({ entityKey, payload }) =>
    events
      .of({ entityKey, payload, entry: 'a.json' })
      .map((event) => ({ partition: 0, event: event as IntakeEvent })),
  );
  return [...foldByDomain(logged).entities.values()]
    .flatMap(({ assets }) => assets)
    .map(({ asset, findings }) => [
      asset.name,
      [...findings.values()].flatMap(({ finding }) => finding.instances.map(({ evidence }) => evidence)),
    ]);
}

it.each<[Settings['assetMatching'], string[], unknown[]]>([
  [
    'name',
    [],
    [
      [
        'www.shop.example',
        ['At: https://www', 'At: https://www.bank.example', 'At: https://www.shop.example'],
      ],
    ],
  ],
  [
    'fqdn',
    ['--asset-matching', 'fqdn'],
    [
      ['www.bank.example', ['At: https://www.bank.example']],
      ['www.shop.example', ['At: https://www.shop.example']],
      ['www', ['At: https://www']],
    ],
  ],
])('hosts of one name have their own findings if assetMatching is %s', async (matching, args, assets) => {
  const { signals } = await runConvert(dir, { 'a.json': report }, ...args);
  expect(assetsOf(signals, matching)).toEqual(assets);
});
