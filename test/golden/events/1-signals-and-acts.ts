import { encodeIntake } from '#libs/contracts';
import {
  assetId as assetIdOf,
  type Cause,
  type EntityDescription,
  type Envelope,
  findingId,
  type IntakePayload,
  type ObservedInstance,
  type SignalReceived,
  type UploadHeader,
} from '#libs/domain';
import type { LogRecord } from '#libs/event-log';
import {
  DAY_MS,
  described,
  entity,
  event,
  instance,
  observation,
  signal,
  T0,
  uploadId,
} from '../../support/scenario.ts';

/**
 * Signals, assessments, and the effects of users and time on findings and assets: schemas 1 to 9, every optional field
 * set and unset, and every change and reason of the history.
 */
export function signalsAndActs(): LogRecord[][] {
  return [webServer(), lateComers(), others()];
}

const day = (n: number) => T0 + n * DAY_MS;
const assetId = (host: string) => assetIdOf(`machine:${host}`);
const idOf = (host: string, name: string, type = 'va') => findingId(assetId(host), type, name);

/** Appends to one partition, with a different id for every event. */
class Writer {
  readonly records: LogRecord[] = [];
  private events = 0;

  constructor(private readonly partition: number) {}

  write(
    host: string,
    payload: IntakePayload,
    at: number,
    cause: Partial<Cause> = {},
    envelope: Partial<Envelope> = {},
  ): this {
    this.events += 1;
    const id = `a0000000-0000-5000-800${this.partition}-${String(this.events).padStart(12, '0')}`;
    const entityKey = `machine:${host}`;
    const one = event(payload, at, { user: null, ...cause }, { id, entityKey, ...envelope });
    this.records.push({ key: entityKey, value: encodeIntake(one) });
    return this;
  }

  /** The events of one upload, the first with its header. */
  upload(
    n: number,
    host: string,
    at: number,
    payloads: IntakePayload[],
    header: UploadHeader | null = null,
    cause: Partial<Cause> = {},
  ): this {
    for (const [i, payload] of payloads.entries()) {
      this.write(
        host,
        payload,
        at,
        {
          uploadId: uploadId(n),
          receivedAt: at,
          entry: `${payload.type === 'AssessmentClosed' ? '' : `entry-${i}.json`}` || null,
          entryIndex: payload.type === 'AssessmentClosed' ? null : i,
          ordinal: i + 1,
          count: payloads.length,
          user: 'ana',
          requestId: 'request-1',
          ...cause,
        },
        { upload: i === 0 ? header : null },
      );
    }
    return this;
  }

  /** The last events once more, as a producer that was made again sends them. */
  repeat(count: number): this {
    this.records.push(...this.records.slice(-count));
    return this;
  }
}

const header: UploadHeader = {
  events: 5,
  signals: 4,
  rejected: 1,
  assetMatchingCriteria: ['hostname'],
  fullAssessmentForTypes: ['va', 'edr'],
  warnings: [
    { entry: 'entry-0.json', field: 'tags.team', message: 'is no custom field' },
    { entry: null, field: 'config.json', message: 'assetMatchingCriteria has no effect' },
  ],
};
const bareHeader: UploadHeader = {
  events: 1,
  signals: 1,
  rejected: 0,
  assetMatchingCriteria: [],
  fullAssessmentForTypes: [],
  warnings: [],
};

const fullEntity = (name: string): EntityDescription =>
  entity({
    name,
    hostname: 'web01',
    fqdn: 'web01.acme.com',
    ipAddresses: ['10.0.0.1', 'fe80::1'],
    macAddresses: ['00:11:22:33:44:55'],
    os: 'Ubuntu 22.04',
    criticality: 'high',
    confidentialityRequirement: 'medium',
    integrityRequirement: 'low',
    availabilityRequirement: 'high',
    department: 'Finance',
    location: 'Mumbai',
    typing: { type: 'Linux server', attackSurface: 'Infrastructure', supports: ['va', 'edr'] },
    tags: { team: ['blue', 'green'], none: [], 'späte Tags': ['ß', '😀'] },
    customFields: { Owner: ['ana'], Deputy: [] },
    unrecognisedTags: ['team'],
  });

const fullInstance = (key: string, given: Partial<ObservedInstance> = {}): ObservedInstance =>
  instance('fail', {
    key,
    workflowStatus: 'open',
    severity: {
      value: 9.8,
      level: 'critical',
      type: 'cvss',
      version: '3.1',
      vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
      baseScore: 9.8,
      temporalScore: 9.1,
      environmentalScore: 8.5,
    },
    cves: ['CVE-2021-44228', 'CVE-2024-3094'],
    techniques: ['T1059.001', 'CST0001'],
    standards: [{ name: 'cis', value: '1.1.1' }],
    evidence: 'line one\nline two',
    tags: { zone: ['dmz'], none: [] },
    ...given,
  });

const bareSeverity = {
  value: 0,
  level: null,
  type: null,
  version: null,
  vector: null,
  baseScore: null,
  temporalScore: null,
  environmentalScore: null,
};

const fullSignal = (name: string, given: Partial<SignalReceived> = {}): SignalReceived =>
  signal(name, 'fail', {
    entity: fullEntity('web01.acme.com'),
    assetRules: { matching: 'fqdn', importAssets: true, updateMetadata: true },
    overrideAccepted: true,
    source: { name: 'scanner', nextSubmissionIntervalInMins: 1440 },
    description: 'what it is',
    confidence: 80,
    firstSeen: day(-3),
    lastSeen: day(0) - 1,
    expiresAt: day(60),
    retainUntil: day(90),
    observations: [
      observation('va', [fullInstance('443/tcp'), fullInstance('22/tcp', { counted: false })], {
        subtype: 'network',
        technical: 'how it works',
        businessImpact: 'what it costs',
        controlType: 'preventive',
        remediation: { description: 'patch', reference: 'https://example.org/patch', impact: 'a restart' },
      }),
      observation('edr', [fullInstance('detection-1')], {
        mode: 'merge',
        remediation: { description: null, reference: null, impact: null },
      }),
    ],
    extra: '{"vendor":{"rank":1}}',
    ...given,
  });

const plain = (name: string, host: string, given: Partial<SignalReceived> = {}): SignalReceived =>
  signal(name, 'fail', { entity: entity({ name: host }), ...given });

const port = (key: string, status: 'pass' | 'fail' | 'unknown', value = 5) =>
  instance(status, { key, severity: { ...bareSeverity, value } });

const closed = (names: string[], types: ('va' | 'edr')[] = ['va']): IntakePayload => ({
  type: 'AssessmentClosed',
  types,
  names,
  matching: 'name',
});

/** One host through everything that a finding can go through. */
function webServer(): LogRecord[] {
  const host = 'web01';
  const log = new Writer(0);
  const accept = (name: string, at: number, until: number | null, seenVersion: number | null = null) =>
    log.write(
      host,
      { type: 'FindingAccepted', findingId: idOf(host, name), seenVersion, rationale: 'known', until },
      at,
      { kind: 'user', user: 'ana', requestId: 'request-2' },
    );
  const revert = (
    name: string,
    at: number,
    to: 'NotAssessed' | 'Failed',
    rationale: string | null,
    seenVersion: number | null = null,
  ) =>
    log.write(
      host,
      { type: 'FindingReverted', findingId: idOf(host, name), seenVersion, to, rationale },
      at,
      { kind: 'user', user: 'bob' },
    );
  const merged = (name: string, ...instances: ObservedInstance[]) =>
    plain(name, host, { observations: [observation('va', instances, { mode: 'merge' })] });

  log.upload(
    1,
    host,
    day(0),
    [
      fullSignal('open port'),
      plain('weak cipher', host),
      plain('old kernel', host, { expiresAt: day(20) }),
      plain('kept short', host, { expiresAt: day(300), retainUntil: day(21) }),
      merged('many ports', port('22/tcp', 'fail', 5), port('80/tcp', 'pass')),
    ],
    header,
  );
  log.repeat(3);
  // A signal that is expired at the edge, and one without anything that can be left out.
  log.upload(2, host, day(1), [
    plain('came too late', host, { ignored: 'expired', expiresAt: day(-1) }),
    plain('bare', host, {
      source: { name: null, nextSubmissionIntervalInMins: null },
      observations: [observation('others', [instance('unknown', { severity: bareSeverity })])],
    }),
  ]);
  // An upload that says nothing of findings.
  log.upload(16, host, day(1) + 1, [plain('empty', host, { observations: [] }), closed([], [])]);
  // The same again changes nothing; another status, instances singly, a changed text.
  log.upload(3, host, day(2), [plain('weak cipher', host), merged('many ports', port('443/tcp', 'unknown'))]);
  log.upload(4, host, day(3), [plain('weak cipher', host, { description: 'now with a text' })], bareHeader, {
    kind: 'json',
    entry: null,
  });
  log.upload(5, host, day(3) + 1, [
    plain('weak cipher', host, { observations: [observation('va', [instance('pass')])] }),
    plain('weak cipher', host),
  ]);
  accept('weak cipher', day(4), day(9), 1);
  accept('weak cipher', day(4) + 1, day(9));
  accept('weak cipher', day(4) + 2, day(9));
  log.upload(6, host, day(5), [plain('weak cipher', host)]);
  log.upload(7, host, day(6), [plain('weak cipher', host, { overrideAccepted: true })]);
  accept('weak cipher', day(7), day(9));
  // The acceptance ends by itself, with an event without a user.
  log.write(host, { type: 'EntitySwept', deleteIdleSince: null }, day(10), { kind: 'system' });
  log.upload(8, host, day(10) + 1, [plain('weak cipher', host)], null, { kind: 'sync', syncId: 'sync-1' });
  accept('weak cipher', day(11), null);
  revert('weak cipher', day(11) + 1, 'Failed', 'not so');
  log.upload(9, host, day(12), [
    plain('weak cipher', host, { observations: [observation('va', [instance('pass')])] }),
  ]);
  revert('weak cipher', day(12) + 1, 'NotAssessed', null);
  revert('weak cipher', day(12) + 2, 'Failed', null, 1);
  revert('open port', day(12) + 3, 'Failed', null);
  accept('there is none', day(12) + 4, null);
  // A fully assessed type: single instances, then whole findings are replaced; another upload came between.
  log.upload(10, host, day(13), [merged('many ports', port('22/tcp', 'fail', 7)), closed([host])]);
  log.upload(11, host, day(13) - DAY_MS / 2, [plain('weak cipher', host), closed([host], ['va', 'edr'])]);
  log.upload(12, host, day(14), [
    plain('old kernel', host, { expiresAt: day(20) }),
    plain('kept short', host, { expiresAt: day(300), retainUntil: day(21) }),
    closed([host]),
  ]);
  log.upload(13, host, day(15), [
    merged('many ports', port('22/tcp', 'fail'), port('80/tcp', 'fail')),
    { ...merged('many ports', port('80/tcp', 'fail')), revoked: true },
    { ...merged('many ports', port('22/tcp', 'fail')), revoked: true },
    { ...merged('many ports', port('22/tcp', 'fail')), revoked: true },
    plain('weak cipher', host, { source: { name: 'agent', nextSubmissionIntervalInMins: 60 } }),
  ]);
  // Expirations are applied with the next event, also of a slow clock.
  log.write(host, { type: 'EntitySwept', deleteIdleSince: day(5) }, day(40), { kind: 'system' });
  log.upload(14, host, day(16), [plain('old kernel', host, { expiresAt: day(30) })]);
  log.upload(15, host, day(41), [plain('weak cipher', host)]);
  return log.records;
}

/** Bytes that are corrupt, uploads that overtake each other, an asset that goes and returns. */
function lateComers(): LogRecord[] {
  const host = 'db01';
  const log = new Writer(1);
  const remove = (at: number, seenVersion: number | null) =>
    log.write(host, { type: 'AssetDeleted', assetId: assetId(host), seenVersion }, at, {
      kind: 'user',
      user: 'ana',
    });
  log.upload(20, host, day(0), [plain('open port', host), plain('weak cipher', host)]);
  const [good] = new Writer(9).upload(21, host, day(0), [plain('cut off', host)]).records;
  log.records.push({ key: good!.key, value: good!.value.subarray(0, good!.value.length - 20) });
  log.records.push({ key: 'machine:nowhere', value: Buffer.from('no wire format') });
  log.upload(22, host, day(1), [plain('open port', host), closed([host])]);
  // Received earlier, stored later: its stamp is the older one.
  log.upload(21, host, day(0) + 1, [plain('weak cipher', host), plain('open port', host), closed([host])]);
  log.upload(23, host, day(2), [
    described({
      entity: fullEntity(host),
      source: { name: 'inventory', nextSubmissionIntervalInMins: 60 },
      extra: '{"rack":7}',
    }),
    described({ entity: entity({ name: host }), source: { name: null, nextSubmissionIntervalInMins: null } }),
    described({
      entity: entity({ name: host, criticality: 'low' }),
      assetRules: { matching: 'name', importAssets: true, updateMetadata: false },
    }),
  ]);
  log.write(
    host,
    {
      type: 'AssetRetyped',
      assetId: assetId(host),
      typing: { type: 'Database', attackSurface: 'Data', supports: [] },
    },
    day(3),
    { kind: 'system' },
    { settingsVersion: 4 },
  );
  // Decided with older settings: the type of the newer ones stays.
  log.write(
    host,
    {
      type: 'AssetRetyped',
      assetId: assetId(host),
      typing: { type: 'Server', attackSurface: 'Infrastructure', supports: ['va'] },
    },
    day(3) + 1,
    { kind: 'system' },
    { settingsVersion: 3 },
  );
  remove(day(4), 99);
  remove(day(4) + 1, null);
  remove(day(4) + 2, null);
  log.upload(24, host, day(5), [
    plain('open port', host, {
      assetRules: { matching: 'name', importAssets: false, updateMetadata: true },
    }),
  ]);
  log.upload(25, host, day(6), [plain('open port', host)]);
  return log.records;
}

/** Two names of one key kept apart, a user, and an asset that is deleted for want of data. */
function others(): LogRecord[] {
  const log = new Writer(2);
  const named = (name: string, matching: 'name' | 'fqdn' = 'fqdn') =>
    plain('open port', name, {
      entity: entity({ name, hostname: 'app', fqdn: name.includes('.') ? name : null }),
      assetRules: { matching, importAssets: true, updateMetadata: true },
    });
  log.upload(30, 'app', day(0), [named('app.acme.com'), named('app.other.org')]);
  log.upload(31, 'app', day(1), [
    { ...named('app.acme.com'), name: 'weak cipher' },
    { type: 'AssessmentClosed', types: ['va'], names: ['app.acme.com'], matching: 'fqdn' },
  ]);
  log.upload(32, 'app', day(2), [named('app.third.net', 'name')]);
  log.upload(33, 'idle', day(2), [plain('gone soon', 'idle', { expiresAt: day(3) })]);
  log.write('idle', { type: 'EntitySwept', deleteIdleSince: day(4) }, day(5), { kind: 'system' });
  const user = entity({ type: 'user', name: 'ana@acme.com' });
  log.write(
    'unused',
    signal('leaked password', 'fail', {
      entity: user,
      observations: [observation('uba', [instance('fail', { techniques: ['T1589.002'] })])],
    }),
    day(6),
    { kind: 'json', uploadId: uploadId(34), receivedAt: day(6), user: 'bob' },
    { entityKey: 'user:ana@acme.com', settingsVersion: 7 },
  );
  const last = log.records.at(-1)!;
  log.records[log.records.length - 1] = { ...last, key: 'user:ana@acme.com' };
  return log.records;
}
