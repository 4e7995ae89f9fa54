import { encodeIntake } from '#libs/contracts';
import type { LogRecord } from '#libs/event-log';
import { PartitionPlanner, Placement, RecordPlacer } from '#libs/repartition';
import { event, T0 } from '../../support/scenario.ts';
import { type Sent, writtenLog } from '../../support/written-logs.ts';

const OLD_LOG = { logId: '8e4d2d6f-3a1b-4c72-9b68-1e0ca94b7d31', heads: ['cd'.repeat(32)] };
const NEW_LOG = '8e4d2d6f-3a1b-4c72-9b68-1e0ca94b7d32';

const SENT: Sent[] = [
  { what: 'upload', hosts: [0, 1, 2, 3, 1], isFull: true, storedBeforeRetry: null },
  { what: 'upload', hosts: [3, 2, 1, 0], isFull: false, storedBeforeRetry: 2 },
  { what: 'settings' },
  { what: 'upload', hosts: [0, 4], isFull: true, storedBeforeRetry: null },
  { what: 'sweep', host: 1 },
];

/** A log of one partition as `posture repartition` places it in two, with the openings of all kinds: schema 45. */
export function repartitionedLog(): LogRecord[][] {
  const [old] = writtenLog(SENT, 1);
  const placement = new Placement(1, 2);
  const planner = new PartitionPlanner(placement);
  for (const record of old!) planner.take(record);
  const plan = planner.finish();
  return placement.partitionsFrom(0).map((partition) => {
    const { place } = new RecordPlacer(placement, partition, plan, NEW_LOG, OLD_LOG);
    const placed = old!.slice(1).flatMap((record) => place(record) ?? []);
    return [...placed.map(({ key, value }) => ({ key, value })), ...openings(partition)];
  });
}

function openings(partition: number): LogRecord[] {
  const key = `log:${partition}`;
  const former = { logId: OLD_LOG.logId, head: OLD_LOG.heads[0]! };
  return [null, former].map((repartitionedFrom, i) => {
    const payload = {
      type: 'LogOpened',
      logId: NEW_LOG,
      partitions: 2,
      scoringModel: null,
      sealedFrom: null,
      repartitionedFrom,
    } as const;
    const opened = event(payload, T0 + i, { kind: 'system', user: null }, { entityKey: key });
    return { key, value: encodeIntake(opened) };
  });
}
