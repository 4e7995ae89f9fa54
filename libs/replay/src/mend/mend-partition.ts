import { randomUUID } from 'node:crypto';
import { encodeIntake } from '#libs/contracts';
import { actEnvelope, type IntakeEvent, type IntakePayload, type Reading } from '#libs/domain';
import type { EventLog, Position } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import { type Mend, mendsOf } from './mends-of.ts';
import type { WrongPartition } from './partitions-ahead.ts';
import { TwoFolds } from './two-folds.ts';

/** Entities that change while they are mended are looked at again, so many times. */
const ROUNDS_MAX = 10;
const APPENDED_AT_ONCE = 200;

export interface MendContext {
  log: Pick<EventLog, 'read' | 'append' | 'ends'>;
  by: { user: string; requestId: string };
  reason: string;
  settingsVersion: number;
  /** @throws ClockError where the clocks are not to be trusted */
  reading: () => Promise<Reading>;
  /** Resolves once the live tables have come to an offset. */
  folded: (partition: number, end: number) => Promise<void>;
  /** Told how many more records were read. */
  onRecords?: (count: number) => void;
}

/** What was mended in a partition, or would be. */
export interface MendCounts {
  findingsReturned: number;
  assetsReturned: number;
  /** Other changes of findings and assets: what they say, or when. */
  corrected: number;
  /** Whether something was left, as entities changed all the time. */
  isCut: boolean;
}

/**
 * Sets the clock of a partition back, where it still is ahead, and mends what the wrong clock did to its entities, by
 * events in the log. Interrupted anywhere, it goes on when it is called again; where nothing is left, it does nothing.
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
  const { envelope, payload } = corrected(partition, context, reading);
  const value = encodeIntake({ envelope, payload });
  const [position] = await context.log.append(INTAKE_TOPIC, [{ key: envelope.entityKey, value, partition }]);
  return position!.offset;
}

const corrected = (partition: number, context: MendContext, reading: Reading) =>
  eventOf(`log:${partition}`, { type: 'ClockCorrected', reason: context.reason }, context, reading);

const eventOf = (
  entityKey: string,
  payload: IntakePayload,
  { by, settingsVersion }: MendContext,
  reading: Reading,
): IntakeEvent => ({
  envelope: actEnvelope({ id: randomUUID(), entityKey, ...reading, settingsVersion, by }),
  payload,
});

/** Answers how many mends there were. */
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
  const reading = await context.reading();
  return context.log.append(
    INTAKE_TOPIC,
    mends.map(({ entityKey, payload }) => ({
      key: entityKey,
      value: encodeIntake(eventOf(entityKey, payload, context, reading)),
    })),
  );
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
