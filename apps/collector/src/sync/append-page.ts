import { decidedAt, entityKey, isUnmapped, type Reading, readEntityType, type Settings } from '#libs/domain';
import type { EventLog } from '#libs/event-log';
import { INTAKE_TOPIC, recordOf } from '#libs/intake';
import {
  type Connector,
  type PulledPage,
  type PulledSignal,
  type PullFailure,
  readPulledSignal,
} from '#libs/integrations';
import { type EventSealer, usable } from '#libs/sealing';
import { acceptedSignals } from '#libs/telemetry';
import { syncUploadId, UploadEvents, type UploadedSignal, UploadPlanner } from '#libs/uploads';

/** Records that one append brings to the log. */
const RECORDS_MAX = 500;
const WARNINGS_MAX = 100;

/** The context for the decisions of a sync's page; `receivedAt` is its stamp (R-FOLD-4). */
export interface PageContext extends Reading {
  syncId: string;
  /** From 1: which of the sync's uploads it is. A page without signals is not counted. */
  upload: number;
  connector: Pick<Connector, 'rules' | 'isEdrInventory'>;
  settings: Settings;
  /** As the row of the sync has it: sealed, if texts are. */
  user: string | null;
  sealer: EventSealer;
}

interface RefusedSignal extends PullFailure {
  /** Entity key as received. */
  about: string;
}

export interface AppendedPage {
  uploadId: string;
  signals: number;
  /**
   * Signals that the rules of the organization refuse, each with why, and sealed as the signal would be; and signals of
   * machines whose key is damaged, without their texts.
   */
  refused: PullFailure[];
  /** Signals that lack what `platformVersion` requires (R-SIG-18). */
  unmapped: number;
}

/**
 * Appends a page of a sync to the intake log, as a separate upload: a page that is pulled again is another upload, and
 * equal signals change nothing.
 * @throws LogUnavailableError, KeysUnavailableError, SubjectKeyError; then part of it may be on the log
 */
export async function appendPage(
  log: EventLog,
  { signals }: Pick<PulledPage, 'signals'>,
  { syncId, upload, at, receivedAt, connector, settings, user, sealer }: PageContext,
): Promise<AppendedPage> {
  const { rules, isEdrInventory } = connector;
  const uploadId = syncUploadId(syncId, upload);
  const planner = new UploadPlanner({
    partitions: log.partitions,
    fullAssessmentForTypes: [],
    assetMatchingCriteria: [],
  });
  const refused: RefusedSignal[] = [];
  const read: UploadedSignal[] = [];
  let unmapped = 0;
  const damaged = await damagedKeys(signals, sealer);
  for (const signal of signals.filter((one) => !damaged.has(keyOf(one)))) {
    const reading = readPulledSignal(signal, {
      receivedAt: decidedAt({ at, receivedAt }),
      rules,
      isEdrInventory,
      settings,
    });
    if (reading.ok) {
      planner.add(reading);
      read.push({ entityKey: reading.entityKey, payload: reading.payload, entry: null });
    } else if (isUnmapped(reading.problems)) unmapped++;
    else {
      const [{ field, message }] = reading.problems as [{ field: string; message: string }];
      refused.push({
        what: `${signal.name} of ${signal.entity.name}`,
        message: `${field} ${message}`.trim(),
        about: keyOf(signal),
      });
    }
  }
  const seals = await sealer.sealsFor([...planner.entityKeys, ...refused.map(({ about }) => about)]);
  const plan = planner.finish(
    refused
      .slice(0, WARNINGS_MAX)
      .map(({ what, message, about }) => ({ entry: null, field: what, message, about })),
    undefined,
    seals.entityKeyOf,
  );
  const events = new UploadEvents(
    {
      uploadId,
      kind: 'sync',
      at,
      receivedAt,
      syncId,
      user,
      requestId: null,
      settingsVersion: settings.version,
      partitions: log.partitions,
    },
    plan,
  );
  const records = read.flatMap((signal) =>
    events
      .of({ ...signal, entityKey: seals.entityKeyOf(signal.entityKey) })
      .map((event) => recordOf(seals.seal(event))),
  );
  for (let from = 0; from < records.length; from += RECORDS_MAX) {
    await log.append(INTAKE_TOPIC, records.slice(from, from + RECORDS_MAX));
  }
  acceptedSignals.inc({ kind: 'sync' }, read.length);
  const failures = [
    ...refused.map(({ what, message, about }) => ({ what: seals.textOf(about, what), message })),
    ...signals.flatMap((signal) => damaged.get(keyOf(signal)) ?? []),
  ];
  return { uploadId, signals: read.length, refused: failures, unmapped };
}

const keyOf = ({ entity: { type, name } }: PulledSignal): string =>
  entityKey(readEntityType(type) ?? 'machine', name);

/** Entity keys of sealed machines whose signals cannot be sealed, each with why. */
async function damagedKeys(
  signals: readonly PulledSignal[],
  sealer: EventSealer,
): Promise<Map<string, PullFailure>> {
  const damaged = new Map<string, PullFailure>();
  await usable(
    [...new Set(signals.map(keyOf))],
    async (some) => [...(await sealer.keysOf(some)).keys()],
    (key, { message }) =>
      damaged.set(key, { what: 'a sealed machine', message: `${message}, or erase the machine` }),
  );
  return damaged;
}
