import fc from 'fast-check';
import {
  type AssetTyping,
  assetId,
  findingId,
  type HistoryTrimmed,
  type InstanceStatus,
  type IntakeEvent,
  type IntakePayload,
  type ObservedInstance,
  ORGANIZATION_KEY,
  type OsMapping,
  type OsMappingRow,
  type OwnerRule,
  type TriageAct,
} from '#libs/domain';
import { SOME_OWNER_RULES } from '../fixtures/domain/owner-rules.ts';
import { planSaved } from '../fixtures/domain/plans.ts';
import { DAY_MS, described, entity, event, instance, observation, signal, T0, uploadId } from './scenario.ts';

/** Generated logs with every kind of event on a few hosts, on clocks that also run backwards. */

export interface LoggedEvent {
  partition: number;
  event: IntakeEvent;
}

const HOSTS = ['web01', 'web02', 'db01'];
const NAMES = ['open port', 'Open Port', 'weak cipher', 'old kernel'];
const TYPES = ['va', 'edr', 'ca'] as const;
const severity = (value: number) => ({ ...instance().severity, value });

type Act = (host: string, at: number) => IntakePayload;

const days = (min: number, max: number) =>
  fc.integer({ min: min * 24, max: max * 24 }).map((hours) => hours * (DAY_MS / 24));

const signals: fc.Arbitrary<Act> = fc
  .record({
    name: fc.constantFrom(...NAMES),
    type: fc.constantFrom(...TYPES),
    status: fc.constantFrom<InstanceStatus>('fail', 'fail', 'fail', 'pass', 'unknown'),
    /** No port is the whole finding, one port an instance, several are the whole set of instances. */
    ports: fc.constantFrom<string[]>([], [], ['22/tcp'], ['443/tcp'], ['22/tcp', '443/tcp']),
    value: fc.constantFrom(3, 7.1, 7.1, 9.5, 1e-50),
    mapped: fc.constantFrom<Partial<ObservedInstance>>(
      {},
      { cves: ['CVE-2021-44228'] },
      { techniques: ['T1059'], cves: ['CVE-2024-3094'] },
      { techniques: ['T1059.001', 'T1059.003', 'T1566', 'CST0007'] },
    ),
    source: fc.constantFrom('scanner', 'scanner', 'agent'),
    expiresIn: days(-2, 20),
    keptFor: days(1, 25),
    revoked: fc.nat(9).map((n) => n === 9),
    overrideAccepted: fc.boolean(),
  })
  .map(
    ({ name, type, status, ports, value, mapped, source, expiresIn, keptFor, revoked, overrideAccepted }) => {
      const keys = ports.length > 0 ? ports : [''];
      const instances = keys.map((key) => instance(status, { key, severity: severity(value), ...mapped }));
      return (host, at) =>
        signal(name, status, {
          entity: entity({ name: host }),
          source: { name: source, nextSubmissionIntervalInMins: 1440 },
          expiresAt: at + expiresIn,
          retainUntil: at + keptFor,
          revoked,
          overrideAccepted,
          observations: [observation(type, instances, { mode: ports.length === 1 ? 'merge' : 'whole' })],
        });
    },
  );

const TYPINGS: AssetTyping[] = [
  { type: 'Database', attackSurface: 'Data', supports: ['va'] },
  { type: 'Server', attackSurface: 'Infrastructure', supports: ['va', 'edr'] },
];

/** Integrations whose inventories contain the same hosts. */
const EDR_SOURCES = ['edr', 'edr-2'];
const DEVICES = ['d1', 'd2'];

const idOf = (host: string, type: string, name: string) => findingId(assetId(`machine:${host}`), type, name);

type Triage<A extends TriageAct = TriageAct> = A extends TriageAct
  ? Omit<A, 'findingId' | 'seenVersion'>
  : never;
const TICKET = { url: 'https://tickets.example/1', label: 'RISK-1' };
const TRIAGES: Triage[] = [
  { type: 'FindingAssigned', user: 'ana', team: null },
  { type: 'FindingAssigned', user: null, team: 'blue' },
  { type: 'FindingAssigned', user: null, team: null },
  { type: 'FindingTagged', add: ['urgent', 'a'], remove: [] },
  { type: 'FindingTagged', add: [], remove: ['urgent', 'a'] },
  { type: 'FindingDueSet', due: T0 + 10 * DAY_MS, reason: 'law' },
  { type: 'FindingDueSet', due: null, reason: null },
  { type: 'FindingTicketsChanged', attach: [TICKET], detach: [] },
  { type: 'FindingTicketsChanged', attach: [], detach: [TICKET.url] },
  { type: 'FindingCommented', text: 'look', mentions: ['ana'] },
];

const acts: fc.Arbitrary<Act> = fc.oneof(
  { weight: 12, arbitrary: signals },
  {
    weight: 2,
    arbitrary: fc
      .record({
        department: fc.constantFrom('Sales', 'IT'),
        criticality: fc.constantFrom('high', 'low'),
        isEdrManaged: fc.boolean(),
        source: fc.constantFrom(...EDR_SOURCES),
        deviceId: fc.constantFrom(null, ...DEVICES),
        trustedSources: fc.constantFrom<string[]>([], ['edr-2']),
        os: fc.constantFrom(null, 'Linux', 'Ubuntu Linux'),
        isTypeGiven: fc.boolean(),
      })
      .map(
        ({ department, criticality, isEdrManaged, source, deviceId, trustedSources, os, isTypeGiven }): Act =>
          (host) =>
            described({
              isEdrManaged,
              deviceId,
              trustedSources,
              isTypeGiven,
              source: { name: source, nextSubmissionIntervalInMins: null },
              entity: entity({
                name: host,
                department,
                os,
                typing: os === null ? null : TYPINGS[isTypeGiven ? 0 : 1]!,
                criticality: criticality as 'high',
                customFields: { Owner: [department] },
                tags: { env: [department === 'Sales' ? 'prod' : 'test', source] },
              }),
            }),
      ),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom(...NAMES), fc.constantFrom(...TYPES), fc.option(days(1, 15), { nil: null }))
      .map(
        ([name, type, lasts]): Act =>
          (host, at) => ({
            type: 'FindingAccepted',
            findingId: idOf(host, type, name),
            seenVersion: null,
            rationale: 'known',
            until: lasts === null ? null : at + lasts,
          }),
      ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...NAMES), fc.constantFrom<'Failed' | 'NotAssessed'>('Failed', 'NotAssessed'))
      .map(
        ([name, to]): Act =>
          (host) => ({
            type: 'FindingReverted',
            findingId: idOf(host, 'va', name),
            seenVersion: null,
            to,
            rationale: null,
          }),
      ),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom(...NAMES), fc.constantFrom(...TYPES), fc.constantFrom(...TRIAGES))
      .map(
        ([name, type, triage]): Act =>
          (host) => ({ ...triage, findingId: idOf(host, type, name), seenVersion: null }),
      ),
  },
  {
    weight: 2,
    arbitrary: fc.constant<Act>((host) => ({
      type: 'AssessmentClosed',
      types: ['va'],
      names: [host],
      matching: 'name',
    })),
  },
  {
    weight: 2,
    arbitrary: fc.option(days(5, 15), { nil: null }).map(
      (idle): Act =>
        (_host, at) => ({ type: 'EntitySwept', deleteIdleSince: idle === null ? null : at - idle }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...EDR_SOURCES).map(
      (source): Act =>
        (host) => ({ type: 'EdrManagementEnded', assetId: assetId(`machine:${host}`), source }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom(...EDR_SOURCES), fc.constantFrom(...DEVICES)).map(
      ([source, deviceId]): Act =>
        (host) => ({ type: 'StatementEnded', assetId: assetId(`machine:${host}`), source, deviceId }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constant<Act>((host) => ({
      type: 'AssetDeleted',
      assetId: assetId(`machine:${host}`),
      seenVersion: null,
    })),
  },
  {
    weight: 1,
    arbitrary: fc.option(days(5, 15), { nil: null }).map(
      (kept): Act =>
        (_host, at) => ({
          type: 'SubjectErased',
          subject: 'A'.repeat(22),
          reason: 'request of the person',
          deletedBefore: kept === null ? null : at - kept,
        }),
    ),
  },
);

const retypings: fc.Arbitrary<Act> = fc
  .record({
    typing: fc.constantFrom(...TYPINGS),
    os: fc.constantFrom(null, 'Linux', 'Ubuntu Linux'),
    from: fc.constantFrom(null, ...TYPINGS),
  })
  .map(
    (retyped): Act =>
      (host) => ({ type: 'AssetRetyped', assetId: assetId(`machine:${host}`), ...retyped }),
  );

const OPTION = '00000000-0000-4000-8000-00000000000';
const optionId = fc.constantFrom(1, 2, 3).map((n) => `${OPTION}${n}`);
const optionList = fc.constantFrom<'departments' | 'locations'>('departments', 'locations');
const label = fc.constantFrom('Sales', 'IT', 'it');

/** Acts on the organization, for any generated host. */
const decisions: fc.Arbitrary<IntakePayload> = fc.oneof(
  fc.record({
    type: fc.constant('SettingsChanged' as const),
    seenVersion: fc.constantFrom(null, 0, 1),
    changes: fc.constantFrom<Record<string, string>>(
      {},
      { platformVersion: '"4.0"' },
      { egressAllow: '["10.0.0.0/8"]' },
      { trustedSources: '["edr","cmdb"]' },
    ),
  }),
  fc.record({
    type: fc.constant('OptionSaved' as const),
    list: optionList,
    id: optionId,
    isChange: fc.boolean(),
    name: fc.option(label),
    isDefault: fc.option(fc.boolean()),
  }),
  fc.record({ type: fc.constant('OptionRemoved' as const), list: optionList, id: optionId }),
  fc.record({
    type: fc.constant('CustomFieldSaved' as const),
    id: optionId,
    isChange: fc.boolean(),
    name: label,
    fieldType: fc.constantFrom<'Any' | 'Text'>('Any', 'Text'),
    multiValued: fc.boolean(),
    options: fc.constant<string[]>([]),
    createdAt: fc.constant(T0),
    recognisedAt: fc.constant(T0),
  }),
  fc.record({ type: fc.constant('CustomFieldRemoved' as const), id: optionId }),
  fc.record({
    type: fc.constant('OsMappingReplaced' as const),
    seenVersion: fc.constantFrom(null, 0),
    mappings: fc.constantFrom<OsMappingRow[]>(
      [],
      [{ osPattern: '*linux*', assetType: 'Server', attackSurface: 'Infrastructure', supports: [] }],
    ),
    default: fc.constant<OsMapping['default']>({
      assetType: 'Server',
      attackSurface: 'Infrastructure',
      supports: [],
    }),
  }),
  fc.record({
    type: fc.constant('OwnerRulesReplaced' as const),
    seenVersion: fc.constantFrom(null, 0, 1),
    rules: fc.constantFrom<OwnerRule[]>([], SOME_OWNER_RULES),
  }),
  fc.record({
    type: fc.constant('CredentialChanged' as const),
    act: fc.constantFrom<'created' | 'deleted'>('created', 'deleted'),
    credentialId: optionId,
    username: fc.constant('scanner'),
    role: fc.constant('analyst'),
  }),
  fc.record({
    type: fc.constant('WebhookChanged' as const),
    act: fc.constantFrom<'added' | 'paused'>('added', 'paused'),
    webhookId: optionId,
    details: fc.constantFrom<Record<string, string>>({}, { url: '"https://receiver.example"' }),
  }),
  fc.record({
    type: fc.constant('CatalogueImported' as const),
    importId: optionId,
    catalogue: fc.constantFrom<'epss' | 'kev'>('epss', 'kev'),
    source: fc.constant('list.csv'),
    contentHash: fc.constant('0'.repeat(64)),
    rows: fc.nat(3),
  }),
  fc.record({
    type: fc.constant('IntegrationSaved' as const),
    id: optionId,
    seenVersion: fc.constantFrom(null, 1, 2),
    integrationType: fc.constant('edrplugin' as const),
    subType: fc.constant('falcon' as const),
    name: label,
    source: label,
    config: fc.constantFrom<Record<string, string>>({}, { autoSyncDays: '1' }),
    secrets: fc.constantFrom<string[]>([], ['clientSecret']),
    createdAt: fc.constant(T0),
  }),
  fc.record({ type: fc.constant('IntegrationRemoved' as const), id: optionId }),
  fc
    .record({ id: optionId, seenVersion: fc.constantFrom(null, 1, 2), name: label })
    .map((given): IntakePayload => planSaved(given)),
  fc.record({
    type: fc.constant('PlanRemoved' as const),
    id: optionId,
    seenVersion: fc.constantFrom(null, 1),
  }),
  fc.record({
    type: fc.constant('SyncRequested' as const),
    integrationId: optionId,
    syncId: optionId,
    isFull: fc.boolean(),
  }),
);

const UPLOADED = ['SignalReceived', 'AssetDescribed', 'AssessmentClosed'];

interface Step {
  host: number;
  act: Act;
  decision: IntakePayload | null;
  times: number;
  isOneUpload: boolean;
  /** How many of the last events are in the log once more after this step. */
  repeated: number;
  passed: number;
  skew: number;
  settingsVersion: number;
}

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    host: fc.nat(HOSTS.length - 1),
    act: fc.oneof({ weight: 24, arbitrary: acts }, { weight: 1, arbitrary: retypings }),
    decision: fc.oneof({ weight: 7, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: decisions }),
    times: fc.constantFrom(1, 1, 1, 2, 3),
    isOneUpload: fc.boolean(),
    repeated: fc.constantFrom(0, 0, 0, 0, 1, 3),
    passed: days(0, 6),
    skew: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: days(-4, 0) }),
    settingsVersion: fc.constantFrom(0, 0, 1, 2),
  }),
  { minLength: 5, maxLength: 40 },
);

/**
 * In the order of the log; a host is in one partition, the organization in the first. An act that is repeated is an
 * unchanged resend, or a further event of the same upload; a repeated event is the very same, ordinal and all.
 */
export const histories: fc.Arbitrary<LoggedEvent[]> = steps.map((given) => {
  let now = T0;
  let uploads = 0;
  const logged: LoggedEvent[] = [];
  for (const {
    host: n,
    act,
    decision,
    times,
    isOneUpload,
    repeated,
    passed,
    skew,
    settingsVersion,
  } of given) {
    const host = HOSTS[n]!;
    const entityKey = `machine:${host}`;
    if (decision)
      logged.push({ partition: 0, event: event(decision, now, {}, { entityKey: ORGANIZATION_KEY }) });
    const receivedAt = now + passed + skew;
    uploads += 1;
    for (let i = 0; i < times; i += 1) {
      now += passed;
      const at = isOneUpload ? receivedAt : now + skew;
      const payload = act(host, at);
      if (!isOneUpload && i > 0) uploads += 1;
      const upload = isOneUpload
        ? { uploadId: uploadId(uploads), receivedAt, ordinal: i + 1, count: times }
        : { uploadId: uploadId(uploads), receivedAt: at };
      const cause = UPLOADED.includes(payload.type) ? upload : {};
      logged.push({ partition: n % 2, event: event(payload, at, cause, { entityKey, settingsVersion }) });
    }
    // Acts of users carry no ordinal: a request that is repeated is another act.
    if (repeated > 0)
      logged.push(...logged.slice(-repeated).filter(({ event }) => event.envelope.cause.uploadId));
  }
  return logged;
});

const trims: fc.Arbitrary<{ place: number; partition: 0 | 1; ago: number; payload: HistoryTrimmed }[]> =
  fc.array(
    fc.record({
      place: fc.nat(80),
      partition: fc.constantFrom<0 | 1>(0, 1),
      ago: days(-1, 20),
      payload: fc.record({
        type: fc.constant('HistoryTrimmed' as const),
        findingType: fc.constantFrom(...TYPES),
        before: fc.constant(0),
        throughSequence: fc.nat(60),
      }),
    }),
    { minLength: 1, maxLength: 6 },
  );

/** The same with trims of the history anywhere, also such as no edge writes: of sequences or times to come. */
export const trimmedHistories: fc.Arbitrary<LoggedEvent[]> = fc
  .tuple(histories, trims)
  .map(([events, inserted]) => {
    const logged = [...events];
    for (const { place, partition, ago, payload } of inserted) {
      const i = place % (logged.length + 1);
      const now = logged[i - 1]?.event.envelope.at ?? T0;
      const trimmed = event({ ...payload, before: now - ago }, now, {}, { entityKey: `log:${partition}` });
      logged.splice(i, 0, { partition, event: trimmed });
    }
    return logged;
  });
