import { parseSignal } from '#libs/contracts';
import { type Asset, DEFAULT_SETTINGS, readSignal, type TrackedFinding } from '#libs/domain';
import { demoUploads } from '#libs/sample-data';
import { Scenario, upload } from './scenario.ts';

const DAY_MS = 86_400_000;
const SECOND_DAY = Date.UTC(2026, 4, 31);
const SIZE = { seed: 'halden', machines: 300, users: 40, secondDay: SECOND_DAY };
const RULES = { importAssets: true, updateMetadata: true, overrideAccepted: false };
/** The instant at which it is scored. */
export const DEMO_AT = SECOND_DAY + DAY_MS / 2;

/** The demo organization after both days, folded in memory; a scan anew is folded without its replacing. */
export function demoAssets(): { asset: Asset; findings: TrackedFinding[] }[] {
  const entities = new Map<string, Scenario>();
  let uploads = 0;
  for (const { file, signals } of demoUploads(SIZE)) {
    const receivedAt = SECOND_DAY + DAY_MS / 4 - (file === 'day1' ? DAY_MS : 0);
    for (const { entityKey, content } of [...signals()].flat()) {
      const parsed = parseSignal(content);
      if (!parsed.ok) throw new Error(parsed.problems[0]!.message);
      const read = readSignal(parsed.signal, {
        route: 'zip',
        receivedAt,
        rules: RULES,
        settings: DEFAULT_SETTINGS,
      });
      if (!read.ok) throw new Error(read.problems[0]!.message);
      const scenario = entities.get(entityKey) ?? new Scenario();
      entities.set(entityKey, scenario.fold(...upload(++uploads, receivedAt, [read.payload])));
    }
  }
  return [...entities.values()].flatMap(({ entity }) =>
    entity.assets.map(({ asset, findings }) => ({ asset, findings: [...findings.values()] })),
  );
}
