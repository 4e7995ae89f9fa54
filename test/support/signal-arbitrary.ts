import fc from 'fast-check';
import { FINDING_TYPE_ALIASES, FINDING_TYPES, type RawSecurityContext, type Signal } from '#libs/domain';

/** Signals that the schema accepts, odd ones first: for properties of reading, encoding and folding. */

const LEVELS = ['critical', 'high', 'medium', 'low', 'info'];
const STATUSES = ['pass', 'fail', 'unknown', 'Qualified', 'Failed', 'NotAssessed'];

/** Any case of a word. */
const inAnyCase = (words: readonly string[]) =>
  fc.tuple(fc.constantFrom(...words), fc.boolean()).map(([word, up]) => (up ? word.toUpperCase() : word));

const text = fc.oneof(fc.string({ maxLength: 30 }), fc.string({ unit: 'grapheme', maxLength: 10 }));
const nonEmpty = fc.oneof(
  fc.stringMatching(/^[ -~]{1,20}$/),
  fc.constantFrom('Outdated TLS', 'é  x', 'a\nb'),
);
const id = fc.uuid();
const instant = fc.oneof(
  fc
    .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    .map((at) => at.toISOString()),
  fc.constantFrom('2030-01-31', '01/31/2030', ''),
  fc.constantFrom('9999-12-31T23:59:59-05:00', '9999-12-31T23:59:59.999Z', '0001-01-01T00:00:00+01:00'),
  fc.integer({ min: 0, max: 2_000_000_000 }),
);

const tagScalar = fc.oneof(
  text,
  fc.integer(),
  fc.boolean(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const tagKey = fc.oneof(
  text,
  fc.constantFrom(
    'location',
    'dept',
    'os',
    'hostname',
    'fqdn',
    'port',
    'protocol',
    'detectionId',
    'constructor',
    'toString',
  ),
);
const tags = fc.dictionary(tagKey, fc.oneof(tagScalar, fc.array(tagScalar, { maxLength: 4 })), {
  maxKeys: 6,
});
const keyPart = fc.oneof(
  fc.integer({ min: 0, max: 65_535 }),
  fc.constantFrom('443', 'tcp', ' ', 'd-1'),
  fc.array(fc.constantFrom('443', '80', 'udp', 'd-2'), { maxLength: 3 }),
);

const cve = fc.constantFrom('CVE-2024-3094', 'cve-2021-44228', 'CVE-2014-0160, CVE-2017-0144', 'CVE-1', '');
const standard = fc.record(
  {
    name: fc.oneof(fc.constantFrom('cve', 'CVE', 'ttp', 'Mitre', 'attack', 'cis'), nonEmpty),
    value: fc.oneof(cve, fc.constantFrom('T1059', 'T1059.001,T1566'), fc.array(cve, { maxLength: 2 })),
  },
  { requiredKeys: ['name'] },
);
const attackPattern = fc.record(
  {
    name: text,
    sourceName: text,
    mapping: fc.record(
      { techniqueId: fc.constantFrom('T1059', 't1566.001', 'CST0007', ''), techniqueName: text },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);
const score = fc.oneof(fc.double({ min: 0, max: 10, noNaN: true }), fc.constantFrom(0, 1e-50, 10));
const severity = fc.record(
  {
    type: text,
    value: score,
    level: inAnyCase(LEVELS),
    cvss: fc.record(
      { version: fc.constantFrom('3.1', 2), vector: text, baseScore: score },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);

/** A context in the odd shapes too: without status, with two, without severity. */
const securityContextArbitrary: fc.Arbitrary<RawSecurityContext> = fc.record(
  {
    type: inAnyCase([...FINDING_TYPES, ...FINDING_TYPE_ALIASES]),
    subType: text,
    status: fc.record({ complianceStatus: inAnyCase(STATUSES), workflowStatus: text }, { requiredKeys: [] }),
    complianceStatus: fc.record({ status: inAnyCase(STATUSES) }, { requiredKeys: [] }),
    severity,
    standardsMapping: fc.array(standard, { maxLength: 3 }),
    attackPattern: fc.array(attackPattern, { maxLength: 3 }),
    cves: fc.array(fc.oneof(cve, fc.record({ id: cve }, { requiredKeys: [] })), { maxLength: 2 }),
    evidence: fc.record({ observationText: text }, { requiredKeys: [] }),
    remediation: fc.record({ description: text, reference: text, impact: text }, { requiredKeys: [] }),
    description: fc.record({ technical: text, businessImpact: text }, { requiredKeys: [] }),
    controlType: text,
    detectionId: keyPart,
    port: keyPart,
    protocol: keyPart,
    tags,
  },
  { requiredKeys: ['type'] },
);

const addresses = fc.oneof(fc.ipV4(), fc.ipV6(), fc.constantFrom('n/a', '', '010.1.1.1'));
const networkInterface = fc.record(
  {
    name: text,
    ipv4: fc.oneof(addresses, fc.array(addresses, { maxLength: 2 })),
    ipv6: addresses,
    macAddress: fc.constantFrom('00-50-56-AA-BB-CC', 'n/a'),
  },
  { requiredKeys: [] },
);
const level = inAnyCase(LEVELS);
const entityAttributes = fc.record(
  {
    ipAddresses: fc.array(networkInterface, { maxLength: 3 }),
    networkInterface: fc.array(networkInterface, { maxLength: 2 }),
    type: fc.oneof(text, fc.constantFrom('Windows Server 2019', 'CentOS 7', 'Firewall')),
    criticality: level,
    confidentialityRequirement: level,
    integrityRequirement: level,
    availabilityRequirement: level,
    fqdn: fc.oneof(text, fc.domain()),
    department: fc.oneof(text, fc.array(text, { maxLength: 2 })),
    location: fc.oneof(text, fc.array(text, { maxLength: 2 })),
    tags,
  },
  { requiredKeys: [] },
);
const entity = fc.record(
  {
    type: inAnyCase(['machine', 'user', 'identity']),
    name: fc.oneof(nonEmpty, fc.domain(), fc.ipV4(), fc.ipV6(), fc.emailAddress(), fc.webUrl()),
    entityAttributes,
  },
  { requiredKeys: ['type', 'name'] },
);

const unknownProperties = fc.dictionary(fc.stringMatching(/^x-[a-z]{1,5}$/), fc.jsonValue({ maxDepth: 3 }), {
  maxKeys: 2,
});

const common = fc.record(
  {
    id,
    name: nonEmpty,
    entity,
    version: fc.constantFrom('1.0', 2),
    type: fc.constantFrom('default', ['default'], 'entityOnly'),
    entityOnly: fc.boolean(),
    description: text,
    source: fc.record({ name: text, nextSubmissionIntervalInMins: fc.nat(52_560_000) }, { requiredKeys: [] }),
    tags,
    cves: fc.array(fc.record({ id: cve }), { maxLength: 2 }),
    detectionId: keyPart,
    port: keyPart,
    protocol: keyPart,
    confidence: fc.double({ min: 0, max: 100, noNaN: true }),
    revoked: fc.boolean(),
    firstSeen: instant,
    lastSeen: instant,
    openSince: instant,
    createdAt: instant,
    modifiedAt: instant,
    expiresAt: instant,
  },
  { requiredKeys: ['id', 'name', 'entity'] },
);

const contexts = fc.oneof(
  { weight: 4, arbitrary: securityContextArbitrary.map((securityContext) => ({ securityContext })) },
  {
    weight: 4,
    arbitrary: fc
      .array(securityContextArbitrary, { maxLength: 4 })
      .map((securityContexts) => ({ securityContexts })),
  },
  { weight: 1, arbitrary: fc.constant({}) },
);

/** Accepted by the schema; `readSignal` refuses some of them, as a signal without a status. */
export const signalArbitrary: fc.Arbitrary<Signal> = fc
  .tuple(common, contexts, unknownProperties)
  .map(([rest, given, extra]) => ({ ...extra, ...rest, ...given }));
