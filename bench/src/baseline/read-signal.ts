import { randomUUID } from 'node:crypto';
import type { BareAsset, BareFinding } from './bare-finding.ts';
import { statementOf } from './row-values.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const DAYS_KEPT = 90;

/** The envelope of the bare producer around a signal, as JSON; the signal's own text is copied unchanged. */
export const wrapSignal = (signal: Buffer, key: string, entry: string, upload: BareUpload): Buffer =>
  Buffer.concat([
    Buffer.from(
      `{"key":${JSON.stringify(key)},"entry":${JSON.stringify(entry)},"uploadId":"${upload.id}",` +
        `"receivedAt":${upload.receivedAt},"signal":`,
    ),
    signal,
    CLOSING,
  ]);

const CLOSING = Buffer.from('}');

export interface BareUpload {
  id: string;
  /** Epoch ms. */
  receivedAt: number;
}

interface WrappedSignal {
  key: string;
  entry: string;
  uploadId: string;
  receivedAt: number;
  // biome-ignore lint/suspicious/noExplicitAny: the baseline trusts what it reads
  signal: any;
}

/** Reads a record of the bare topic. Supports only signals of the benchmark's generator, and validates nothing. */
export function readSignal(value: Buffer): BareFinding {
  const { key, entry, uploadId, receivedAt, signal } = JSON.parse(value.toString()) as WrappedSignal;
  const context = signal.securityContext;
  const { severity, remediation } = context;
  const failing = context.status.complianceStatus === 'fail';
  const state = failing ? 'Failed' : 'Qualified';
  const cves = context.standardsMapping.map((mapping: { value: string }) => mapping.value);
  const techniques = context.attackPattern.map(
    (pattern: { mapping: { techniqueId: string } }) => pattern.mapping.techniqueId,
  );
  return {
    entityKey: key,
    signalId: signal.id,
    uploadId,
    entry,
    eventId: randomUUID(),
    user: 'admin',
    requestId: null,
    receivedAt,
    lastSeen: Date.parse(signal.lastSeen),
    expiresAt: receivedAt + DAYS_KEPT * DAY_MS,
    retainUntil: receivedAt + DAYS_KEPT * DAY_MS,
    type: context.type,
    name: signal.name,
    state,
    severity: severity.value,
    cves,
    techniques,
    source: signal.source.name,
    body: {
      number: 0,
      id: '',
      type: context.type,
      subtype: null,
      name: signal.name,
      description: signal.description,
      technical: null,
      businessImpact: null,
      controlType: context.controlType,
      remediation: { description: remediation.description, reference: remediation.reference, impact: null },
      source: signal.source,
      confidence: null,
      extra: null,
      instances: [
        {
          key: '',
          status: failing ? 'fail' : 'pass',
          counted: true,
          workflowStatus: null,
          severity: {
            value: severity.value,
            level: severity.level,
            type: severity.type,
            version: severity.cvss.version,
            vector: severity.cvss.vector,
            baseScore: severity.cvss.baseScore,
            temporalScore: null,
            environmentalScore: null,
          },
          cves,
          techniques,
          standards: [],
          evidence: context.evidence.observationText,
          tags: signal.tags,
        },
      ],
      state,
      retiredReason: null,
      accepted: null,
      heldFailed: null,
      firstSeen: receivedAt,
      version: 1,
      updatedAt: receivedAt,
    },
    asset: () => assetOf(signal, receivedAt),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: the baseline trusts what it reads
function assetOf({ entity, source }: any, at: number): BareAsset {
  const { entityAttributes: attributes, name } = entity;
  const typing = { type: 'Server', attackSurface: 'Infrastructure', supports: ['va', 'ca', 'edr'] };
  const [department, location] = [attributes.tags.dept[0], attributes.tags.location[0]];
  const said = {
    os: attributes.type,
    typing,
    criticality: attributes.criticality,
    confidentialityRequirement: attributes.confidentialityRequirement,
    integrityRequirement: attributes.integrityRequirement,
    availabilityRequirement: attributes.availabilityRequirement,
    department,
    location,
    ipAddresses: [attributes.ipAddresses[0].ipv4],
  };
  return {
    name,
    type: typing.type,
    attackSurface: typing.attackSurface,
    department,
    location,
    criticality: attributes.criticality,
    sources: [source.name],
    state: {
      number: 0,
      id: '',
      entityType: entity.type,
      name,
      aliases: [name],
      hostname: name.slice(0, name.indexOf('.')),
      fqdn: name,
      macAddresses: [],
      ...said,
      defaults: { department: 'Unassigned', location: 'Unassigned', typing },
      settingsVersion: 0,
      tags: attributes.tags,
      customFields: {},
      sources: [source.name],
      firstSeen: at,
      deletedAt: null,
      version: 1,
      updatedAt: at,
      statements: [statementOf(source.name, at, said)],
    },
  };
}
