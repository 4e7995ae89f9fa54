import {
  type AssetDescribed,
  type AssetTyping,
  type Cause,
  CURRENT_RULES,
  type Effects,
  type EntityDescription,
  type EntityState,
  type Envelope,
  evolve,
  type Finding,
  type FindingType,
  type InstanceStatus,
  type IntakeEvent,
  type IntakePayload,
  initialEntity,
  initialPartition,
  noEffects,
  type Observation,
  type ObservedInstance,
  type PartitionState,
  type SignalReceived,
} from '#libs/domain';

/** Events for tests of the fold, with everything that a test does not name at a plain default. */

export const DAY_MS = 24 * 60 * 60 * 1000;
export const T0 = Date.parse('2026-01-01T00:00:00.000Z');

const SERVER: AssetTyping = {
  type: 'Server',
  attackSurface: 'Infrastructure',
  supports: ['va', 'ca', 'edr'],
};

export const entity = (given: Partial<EntityDescription> = {}): EntityDescription => ({
  type: 'machine',
  name: 'web01',
  hostname: null,
  fqdn: null,
  ipAddresses: [],
  macAddresses: [],
  os: null,
  criticality: null,
  confidentialityRequirement: null,
  integrityRequirement: null,
  availabilityRequirement: null,
  department: null,
  location: null,
  typing: null,
  defaults: { department: 'Unassigned', location: 'Unassigned', typing: SERVER },
  tags: {},
  customFields: {},
  unrecognisedTags: [],
  ...given,
});

export const instance = (
  status: InstanceStatus = 'fail',
  given: Partial<ObservedInstance> = {},
): ObservedInstance => ({
  key: '',
  status,
  counted: true,
  workflowStatus: null,
  severity: {
    value: 7,
    level: null,
    type: 'cvss',
    version: null,
    vector: null,
    baseScore: null,
    temporalScore: null,
    environmentalScore: null,
  },
  cves: [],
  techniques: [],
  standards: [],
  evidence: null,
  tags: {},
  ...given,
});

export const observation = (
  type: FindingType,
  instances: ObservedInstance[],
  given: Partial<Observation> = {},
): Observation => ({
  type,
  subtype: null,
  mode: 'whole',
  instances,
  technical: null,
  businessImpact: null,
  controlType: null,
  remediation: null,
  ...given,
});

export const signal = (
  name: string,
  status: InstanceStatus = 'fail',
  given: Partial<SignalReceived> = {},
): SignalReceived => ({
  type: 'SignalReceived',
  signalId: '00000000-0000-4000-8000-000000000000',
  entity: entity(),
  assetRules: { matching: 'name', importAssets: true, updateMetadata: true },
  overrideAccepted: false,
  source: { name: 'scanner', nextSubmissionIntervalInMins: null },
  trustedSources: [],
  name,
  description: null,
  confidence: null,
  firstSeen: null,
  lastSeen: null,
  expiresAt: T0 + 365 * DAY_MS,
  retainUntil: T0 + 365 * DAY_MS,
  ignored: null,
  revoked: false,
  observations: [observation('va', [instance(status)])],
  extra: null,
  isTypeGiven: false,
  ...given,
});

export const described = (given: Partial<AssetDescribed> = {}): AssetDescribed => ({
  type: 'AssetDescribed',
  signalId: '00000000-0000-4000-8000-000000000000',
  entity: entity(),
  assetRules: { matching: 'name', importAssets: true, updateMetadata: true },
  source: { name: 'inventory', nextSubmissionIntervalInMins: null },
  extra: null,
  isEdrManaged: false,
  deviceId: null,
  trustedSources: [],
  isTypeGiven: false,
  ...given,
});

const KEY = 'machine:web01';

export const event = (
  payload: IntakePayload,
  at: number,
  cause: Partial<Cause> = {},
  envelope: Partial<Envelope> = {},
): IntakeEvent => ({
  envelope: {
    id: '11111111-1111-5111-8111-111111111111',
    entityKey: KEY,
    at,
    rules: CURRENT_RULES,
    settingsVersion: 0,
    cause: {
      kind: 'zip',
      uploadId: null,
      receivedAt: at,
      entry: null,
      entryIndex: null,
      ordinal: 1,
      count: 1,
      syncId: null,
      user: 'ana',
      requestId: null,
      ...cause,
    },
    upload: null,
    encryptionKeyId: null,
    ...envelope,
  },
  payload,
});

export const uploadId = (n: number) => `00000000-0000-5000-8000-${String(n).padStart(12, '0')}`;

/** The events of one upload in one partition, in order. */
export const upload = (
  n: number,
  receivedAt: number,
  payloads: IntakePayload[],
  envelope: Partial<Envelope> = {},
): IntakeEvent[] =>
  payloads.map((payload, i) =>
    event(
      payload,
      receivedAt,
      { uploadId: uploadId(n), receivedAt, ordinal: i + 1, count: payloads.length, entryIndex: i },
      envelope,
    ),
  );

/** An upload with the header of a full assessment of `va`. */
export function fullAssessment(events: IntakeEvent[], signals: number): IntakeEvent[] {
  events[0]!.envelope.upload = {
    events: events.length,
    signals,
    rejected: 0,
    assetMatchingCriteria: [],
    fullAssessmentForTypes: ['va'],
    warnings: [],
  };
  return events;
}

/** One entity in one partition, with what its events caused. */
export class Scenario {
  readonly partition: PartitionState = initialPartition(0);
  readonly entity: EntityState = initialEntity(KEY);
  effects: Effects = noEffects();

  /** Folds events; returns only their effects. */
  fold(...events: IntakeEvent[]): this {
    this.effects = noEffects();
    for (const one of events) evolve(this.partition, this.entity, one, this.effects);
    return this;
  }

  finding(name: string, type: FindingType = 'va'): Finding | undefined {
    return this.entity.assets
      .flatMap(({ findings }) => [...findings.values()])
      .map(({ finding }) => finding)
      .find((finding) => finding.name === name && finding.type === type);
  }

  /** Name → state of every finding. */
  get states(): Record<string, string> {
    return Object.fromEntries(
      this.entity.assets.flatMap(({ findings }) =>
        [...findings.values()].map(({ finding }) => [finding.name, finding.state]),
      ),
    );
  }

  counts(n: number) {
    return this.partition.uploads.get(uploadId(n))!.counts;
  }

  get changes(): string[] {
    return this.effects.changes.map((change) => `${change.kind} ${change.change}`);
  }
}
