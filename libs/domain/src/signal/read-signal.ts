import type { AssetDescribed, AssetRules, FindingType, Observation, SignalReceived } from '../events.ts';
import { isPlatformAtLeast, type Settings, trustedSourcesOf } from '../settings.ts';
import { displayName, entityKey } from './entity-key.ts';
import { collapseWhiteSpace } from './event-ids.ts';
import { readExtra } from './extra.ts';
import { isTypeGiven, readEntity, readEntityType } from './read-entity.ts';
import { DAY_MS, readInstant } from './read-instant.ts';
import { readObservations } from './read-observations.ts';
import { type FieldMessage, Remarks } from './remarks.ts';
import type { Signal } from './signal.ts';
import { textOrNull, textsOf } from './tags.ts';

/** The edge's context when a signal arrives. */
export interface SignalContext {
  /** The JSON route never changes metadata of an existing asset (R-ASSET-13). */
  route: 'json' | 'zip';
  /** Epoch milliseconds. */
  receivedAt: number;
  /** From config.json, or its defaults (R-ZIP-3). */
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
 * Converts a signal into the event for the log; all that depends on arrival time or settings is decided here and
 * stamped (R-FOLD-1). Total: for an invalid signal it returns the first 20 problems, and never throws.
 */
export function readSignal(signal: Signal, context: SignalContext): SignalReading {
  const remarks = new Remarks();
  const type = readEntityType(signal.entity.type);
  if (type === null) remarks.problem('entity.type', 'must be machine or user (alias identity)');
  if (displayName(signal.entity.name) === '') remarks.problem('entity.name', 'must not be blank');
  if (collapseWhiteSpace(signal.name) === '') remarks.problem('name', 'must not be blank');
  const described = describe(signal, type ?? 'machine', context, remarks);
  const payload = isEntityOnly(signal)
    ? ({ type: 'AssetDescribed', ...described, isEdrManaged: false, deviceId: null } satisfies AssetDescribed)
    : receive(signal, described, context, remarks);
  if (remarks.problems.length > 0 || type === null) return { ok: false, problems: remarks.problems };
  return { ok: true, entityKey: entityKey(type, signal.entity.name), payload, warnings: remarks.warnings };
}

type Described = Omit<AssetDescribed, 'type' | 'isEdrManaged' | 'deviceId'>;

/** `entityOnly: true`, or the same as the signal's type (R-ASSET-15). */
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
      'only applies to a new asset, without department, location and custom fields: to set these or to change ' +
        'an existing asset, send a ZIP',
    );
  }
  const assetRules: AssetRules = {
    matching: settings.assetMatching,
    importAssets: rules.importAssets,
    updateMetadata: route === 'zip' && rules.updateMetadata,
  };
  const entity = readEntity(type, signal.entity, context);
  return {
    signalId: signal.id,
    entity,
    assetRules,
    source: {
      name: textOrNull(signal.source?.name),
      nextSubmissionIntervalInMins: readInterval(signal, remarks),
    },
    extra: readExtra(signal, remarks),
    trustedSources: trustedSourcesOf(settings),
    isTypeGiven: isTypeGiven(entity, settings),
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
  remarks.problem('source.nextSubmissionIntervalInMins', 'must be a number of minutes, at least 0');
  return null;
}

const MAPPING_FIELD = 'securityContext.standardsMapping';

/** The signal is only rejected because of the platform version (R-SIG-18): no repetition can change that. */
export const isUnmapped = (problems: readonly FieldMessage[]): boolean =>
  problems.every(({ field }) => field === MAPPING_FIELD);

/** Below platform version 4.1 a va signal needs a CVE or a TTP (R-SIG-18). */
function requireMapping(observations: Observation[], settings: Settings, remarks: Remarks): void {
  if (isPlatformAtLeast('4.1', settings)) return;
  const va = observations.find(({ type }) => type === 'va');
  if (!va || va.instances.some(isMapped)) return;
  remarks.problem(
    MAPPING_FIELD,
    'must contain a CVE, or attackPattern a technique: platform versions below 4.1 require one in a va signal',
  );
}

/** Vendors' own ids are no techniques (R-SIG-9). */
const ATTACK_TECHNIQUE = /^T\d{4}(\.\d{3})?$/;

const isMapped = ({ cves, techniques }: Observation['instances'][number]): boolean =>
  cves.length > 0 || techniques.some((id) => ATTACK_TECHNIQUE.test(id));

type TimeName = 'firstSeen' | 'lastSeen' | 'openSince' | 'expiresAt';

/** Epoch milliseconds; a format other than an instant counts as absent, with a warning (R-SIG-14). */
function readTime(signal: Signal, name: TimeName, remarks: Remarks): number | null {
  const given = signal[name];
  if (given === undefined) return null;
  const at = readInstant(given);
  if (at === null) {
    const meant = name === 'expiresAt' ? 'the Finding Retirement Policy applies' : 'the value is ignored';
    remarks.warn(
      name,
      `is not an ISO 8601 time with a zone (2030-01-31T00:00:00.000Z) in the years 1 to 9999: ${meant}`,
    );
  }
  return at;
}

/**
 * The signal's own expiry, otherwise arrival and the policy of its types, the longest of several (R-EXP-1). A revoked
 * signal applies also if its expiry has passed (R-FIND-12).
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
