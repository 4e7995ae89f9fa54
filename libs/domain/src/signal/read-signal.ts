import type { AssetDescribed, AssetRules, FindingType, Observation, SignalReceived } from '../events.ts';
import { isPlatformAtLeast, type Settings } from '../settings.ts';
import { displayName, entityKey } from './entity-key.ts';
import { collapseWhiteSpace } from './event-ids.ts';
import { readExtra } from './extra.ts';
import { readEntity, readEntityType } from './read-entity.ts';
import { DAY_MS, readInstant } from './read-instant.ts';
import { readObservations } from './read-observations.ts';
import { type FieldMessage, Remarks } from './remarks.ts';
import type { Signal } from './signal.ts';
import { textOrNull, textsOf } from './tags.ts';

/** What the edge knows when a signal arrives. */
export interface SignalContext {
  /** The JSON route never changes metadata of an existing asset (D6). */
  route: 'json' | 'zip';
  /** Epoch milliseconds. */
  receivedAt: number;
  /** From config.json, or its defaults (spec §ZipConfig). */
  rules: { importAssets: boolean; updateMetadata: boolean; overrideAccepted: boolean };
  settings: Settings;
}

export type SignalReading =
  | {
      ok: true;
      entityKey: string;
      payload: SignalReceived | AssetDescribed;
      warnings: FieldMessage[];
    }
  | { ok: false; problems: FieldMessage[] };

/**
 * Turns a signal into the event that goes on the log; all that depends on arrival time or settings is decided here
 * and stamped (rule 1). Total: a signal that the rules refuse answers its problems, the first 20, and never throws.
 */
export function readSignal(signal: Signal, context: SignalContext): SignalReading {
  const remarks = new Remarks();
  const type = readEntityType(signal.entity.type);
  if (type === null) remarks.problem('entity.type', 'must be machine, or user (also called identity)');
  if (displayName(signal.entity.name) === '') remarks.problem('entity.name', 'must not be blank');
  if (collapseWhiteSpace(signal.name) === '') remarks.problem('name', 'must not be blank');
  const described = describe(signal, type ?? 'machine', context, remarks);
  const payload = isEntityOnly(signal)
    ? ({ type: 'AssetDescribed', ...described } satisfies AssetDescribed)
    : receive(signal, described, context, remarks);
  if (remarks.problems.length > 0 || type === null) return { ok: false, problems: remarks.problems };
  return { ok: true, entityKey: entityKey(type, signal.entity.name), payload, warnings: remarks.warnings };
}

type Described = Omit<AssetDescribed, 'type'>;

/** `entityOnly: true`, or the same as the signal's type (D6). */
const isEntityOnly = ({ entityOnly, type }: Signal): boolean =>
  entityOnly === true || textsOf(type).some((text) => text.toLowerCase() === 'entityonly');

function describe(
  signal: Signal,
  type: 'machine' | 'user',
  context: SignalContext,
  remarks: Remarks,
): Described {
  const { route, rules, settings } = context;
  if (route === 'json' && signal.entity.entityAttributes !== undefined) {
    remarks.warn(
      'entity.entityAttributes',
      'fills a new asset only, without department, location and custom fields; to set those or to change an ' +
        'existing asset, send as ZIP',
    );
  }
  const assetRules: AssetRules = {
    matching: settings.assetMatching,
    importAssets: rules.importAssets,
    updateMetadata: route === 'zip' && rules.updateMetadata,
  };
  return {
    signalId: signal.id,
    entity: readEntity(type, signal.entity, context),
    assetRules,
    source: {
      name: textOrNull(signal.source?.name),
      nextSubmissionIntervalInMins: readInterval(signal, remarks),
    },
    extra: readExtra(signal, remarks),
  };
}

function receive(
  signal: Signal,
  described: Described,
  context: SignalContext,
  remarks: Remarks,
): SignalReceived {
  const observations = readObservations(signal, remarks);
  requireMapping(observations, context.settings, remarks);
  return {
    type: 'SignalReceived',
    ...described,
    overrideAccepted: context.rules.overrideAccepted,
    name: collapseWhiteSpace(signal.name),
    description: textOrNull(signal.description),
    confidence: signal.confidence ?? null,
    firstSeen: readTime(signal, 'firstSeen', remarks) ?? readTime(signal, 'openSince', remarks),
    lastSeen: readTime(signal, 'lastSeen', remarks),
    ...readExpiry(signal, observations, context, remarks),
    revoked: signal.revoked ?? false,
    observations,
  };
}

function readInterval({ source }: Signal, remarks: Remarks): number | null {
  const minutes = source?.nextSubmissionIntervalInMins ?? null;
  if (minutes === null || (Number.isFinite(minutes) && minutes >= 0)) return minutes;
  remarks.problem('source.nextSubmissionIntervalInMins', 'must be a number of minutes, 0 or more');
  return null;
}

/** Below platform version 4.1 a va signal needs a CVE or a TTP (spec §Signal, rule 1; D20). */
function requireMapping(observations: Observation[], settings: Settings, remarks: Remarks): void {
  if (isPlatformAtLeast('4.1', settings)) return;
  const va = observations.find(({ type }) => type === 'va');
  if (!va || va.instances.some(({ cves, techniques }) => cves.length + techniques.length > 0)) return;
  remarks.problem(
    'securityContext.standardsMapping',
    'must name a CVE, or attackPattern a technique: platform versions below 4.1 take no va signal without',
  );
}

type TimeName = 'firstSeen' | 'lastSeen' | 'openSince' | 'expiresAt';

/** Epoch milliseconds; another format than an instant is taken as absent and named (D14). */
function readTime(signal: Signal, name: TimeName, remarks: Remarks): number | null {
  const given = signal[name];
  if (given === undefined) return null;
  const at = readInstant(given);
  if (at === null) {
    const meant = name === 'expiresAt' ? 'so the Finding Retirement Policy applies' : 'so it is not used';
    remarks.warn(
      name,
      `is no ISO 8601 instant with a zone (2030-01-31T00:00:00.000Z) in the years 1 to 9999, ${meant}`,
    );
  }
  return at;
}

/**
 * The signal's own expiry, else arrival and the policy of its types, the longest of several (D14, D15). One that
 * is revoked takes back what it said also where its expiry has passed (D21).
 */
function readExpiry(
  signal: Signal,
  observations: Observation[],
  { receivedAt, settings }: SignalContext,
  remarks: Remarks,
): Pick<SignalReceived, 'expiresAt' | 'retainUntil' | 'ignored'> {
  const given = readTime(signal, 'expiresAt', remarks);
  const days = observations.map(({ type }: { type: FindingType }) => settings.retirementDays[type]);
  return {
    expiresAt: given ?? receivedAt + Math.max(0, ...days) * DAY_MS,
    retainUntil: receivedAt + settings.retentionDays * DAY_MS,
    ignored: !signal.revoked && given !== null && given <= receivedAt ? 'expired' : null,
  };
}
