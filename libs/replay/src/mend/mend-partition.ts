import { randomUUID } from 'node:crypto';
import type { EncodableEvent } from '#libs/contracts';
import { actEnvelope, type IntakeEvent, partitionKey, type Reading } from '#libs/domain';
import type { EventLog, Position } from '#libs/event-log';
import { actEvent, INTAKE_TOPIC, recordOf } from '#libs/intake';
import { type Mend, mendsOf } from './mends-of.ts';
import type { WrongPartition } from './partitions-ahead.ts';
import { TwoFolds } from './two-folds.ts';

/** Entities that change while they are mended are mended again, up to this number of rounds. */
const ROUNDS_MAX = 10;
const APPENDED_AT_ONCE = 200;

export interface MendContext {
  log: Pick<EventLog, 'read' | 'append' | 'ends'>;
  /** Seals personal texts, if the site does. */
  seal: (events: EncodableEvent[]) => Promise<EncodableEvent[]>;
  by: { user: string; requestId: string };
  reason: string;
  settingsVersion: number;
  /** @throws ClockError if the clocks are not to be trusted */
  reading: () => Promise<Reading>;
  /** Resolves once the live tables have reached an offset. */
  folded: (partition: number, end: number) => Promise<void>;
  /** Receives how many more records were read. */
  onRecords?: (count: number) => void;
}

/** Counts of the entities of a partition that were mended, or in a preview would be. */
export interface MendCounts {
  findingsReturned: number;
  assetsReturned: number;
  /** Other changes of findings and assets: of values, or of times. */
  corrected: number;
  /** Whether something was left, as entities changed all the time. */
  isCut: boolean;
}

/**
 * Sets the clock of a partition back, if it still is ahead, and mends the entities that the wrong clock changed, by
 * events in the log. After an interruption, the next call resumes; if nothing is left, it does nothing.
 */
export async function mendPartition(wrong: WrongPartition, context: MendContext): Promise<MendCounts> {
  const { partition } = wrong;
  const corrections = [...wrong.corrections];
  if (wrong.ahead !== null) {
    const { at, receivedAt } = await context.reading();
    const offset = await correct(partition, context, { at, receivedAt });
    corrections.push({ offset, at: Math.min(at, receivedAt) });
  }
  const folds = new TwoFolds(partition, corrections);
  const counts = noCounts();
  for (let round = 1; ; round += 1) {
    await takeAll(folds, partition, context);
    if (round > ROUNDS_MAX) return { ...counts, isCut: [...mendsOf(folds)].length > 0 };
    if ((await appendMends(folds, context, counts)) === 0) return counts;
  }
}

/** What `mendPartition` would do now; nothing is appended. */
export async function previewMend(wrong: WrongPartition, context: MendContext): Promise<MendCounts> {
  const { partition } = wrong;
  const end = (await context.log.ends(INTAKE_TOPIC))[partition]!;
  const reading = await context.reading();
  const at = Math.min(reading.at, reading.receivedAt);
  const isAhead = wrong.ahead !== null;
  const folds = new TwoFolds(partition, [...wrong.corrections, ...(isAhead ? [{ offset: end, at }] : [])]);
  await takeAll(folds, partition, context);
  if (isAhead) folds.takeOne(corrected(partition, context, reading));
  const counts = noCounts();
  for (const mend of mendsOf(folds)) count(mend, counts);
  return counts;
}

async function takeAll(folds: TwoFolds, partition: number, { log, folded, onRecords }: MendContext) {
  const end = (await log.ends(INTAKE_TOPIC))[partition]!;
  for await (const records of log.read(INTAKE_TOPIC, partition, folds.position, end)) {
    folds.take(records);
    onRecords?.(records.length);
  }
  await folded(partition, end);
}

async function correct(partition: number, context: MendContext, reading: Reading): Promise<number> {
  const [event] = await context.seal([corrected(partition, context, reading)]);
  const [position] = await context.log.append(INTAKE_TOPIC, [{ ...recordOf(event!), partition }]);
  return position!.offset;
}

const corrected = (
  partition: number,
  { by, settingsVersion, reason }: MendContext,
  reading: Reading,
): IntakeEvent => ({
  envelope: actEnvelope({
    id: randomUUID(),
    entityKey: partitionKey(partition),
    ...reading,
    settingsVersion,
    by,
  }),
  payload: { type: 'ClockCorrected', reason },
});

/** Returns how many mends there were. */
async function appendMends(folds: TwoFolds, context: MendContext, counts: MendCounts): Promise<number> {
  let appended = 0;
  let piece: Mend[] = [];
  const flush = async () => {
    if (piece.length === 0) return;
    await append(piece, context);
    appended += piece.length;
    piece = [];
  };
  for (const mend of mendsOf(folds)) {
    count(mend, counts);
    piece.push(mend);
    if (piece.length === APPENDED_AT_ONCE) await flush();
  }
  await flush();
  return appended;
}

async function append(mends: Mend[], context: MendContext): Promise<Position[]> {
  const { log, seal, by, settingsVersion } = context;
  const reading = await context.reading();
  const events = mends.map(({ entityKey, payload }) =>
    actEvent({ entityKey, ...reading, settingsVersion, by }, payload),
  );
  return log.append(INTAKE_TOPIC, (await seal(events)).map(recordOf));
}

const noCounts = (): MendCounts => ({ findingsReturned: 0, assetsReturned: 0, corrected: 0, isCut: false });

function count({ payload: { assets, findings } }: Mend, counts: MendCounts): void {
  for (const { fields } of assets) {
    if (fields.deletedAt === 'null') counts.assetsReturned += 1;
    else counts.corrected += 1;
  }
  for (const { fields } of findings) {
    if (fields.state !== undefined && fields.state !== '"Retired"') counts.findingsReturned += 1;
    else counts.corrected += 1;
  }
}
