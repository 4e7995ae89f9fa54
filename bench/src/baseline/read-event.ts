import { decodeIntake } from '#libs/contracts';
import type { Envelope, ObservedInstance, SignalReceived } from '#libs/domain';
import type { BareAsset, BareFinding } from './bare-finding.ts';
import { statementOf } from './row-values.ts';

/** Reads an Avro record of the intake log; null if it is not a signal. The first observation is the finding. */
export function readEvent(value: Buffer): BareFinding | null {
  const { envelope, payload } = decodeIntake(value);
  if (payload.type !== 'SignalReceived') return null;
  const observation = payload.observations[0]!;
  const { instances } = observation;
  const state = stateOf(instances);
  return {
    entityKey: envelope.entityKey,
    signalId: payload.signalId,
    uploadId: envelope.cause.uploadId!,
    entry: envelope.cause.entry,
    eventId: envelope.id,
    user: envelope.cause.user,
    requestId: envelope.cause.requestId,
    receivedAt: envelope.cause.receivedAt,
    lastSeen: payload.lastSeen ?? envelope.at,
    expiresAt: payload.expiresAt,
    retainUntil: payload.retainUntil,
    type: observation.type,
    name: payload.name,
    state,
    severity: Math.max(...instances.map(({ severity }) => severity.value)),
    cves: instances.flatMap(({ cves }) => cves),
    techniques: instances.flatMap(({ techniques }) => techniques),
    source: payload.source.name,
    body: {
      number: 0,
      id: '',
      type: observation.type,
      subtype: observation.subtype,
      name: payload.name,
      description: payload.description,
      technical: observation.technical,
      businessImpact: observation.businessImpact,
      controlType: observation.controlType,
      remediation: observation.remediation,
      source: payload.source,
      confidence: payload.confidence,
      extra: payload.extra,
      instances,
      state,
      retiredReason: null,
      accepted: null,
      heldFailed: null,
      firstSeen: payload.firstSeen ?? envelope.at,
      version: 1,
      updatedAt: envelope.at,
    },
    asset: () => assetOf(payload, envelope),
  };
}

function stateOf(instances: ObservedInstance[]): string {
  if (instances.some(({ status }) => status === 'fail')) return 'Failed';
  return instances.every(({ status }) => status === 'unknown') ? 'NotAssessed' : 'Qualified';
}

function assetOf({ entity, source }: SignalReceived, { at }: Envelope): BareAsset {
  const { typing, defaults, unrecognisedTags: _, type: entityType, ...described } = entity;
  const sources = source.name === null ? [] : [source.name];
  const { os, criticality, confidentialityRequirement, integrityRequirement, availabilityRequirement } =
    entity;
  const requirements = {
    criticality,
    confidentialityRequirement,
    integrityRequirement,
    availabilityRequirement,
  };
  const { department, location, ipAddresses } = entity;
  return {
    name: entity.name,
    type: (typing ?? defaults.typing).type,
    attackSurface: (typing ?? defaults.typing).attackSurface,
    department: entity.department ?? defaults.department,
    location: entity.location ?? defaults.location,
    criticality: entity.criticality,
    sources,
    state: {
      number: 0,
      id: '',
      entityType,
      aliases: [entity.name],
      ...described,
      typing,
      defaults,
      settingsVersion: 0,
      sources,
      firstSeen: at,
      deletedAt: null,
      version: 1,
      updatedAt: at,
      statements: [
        statementOf(source.name, at, { os, typing, ...requirements, department, location, ipAddresses }),
      ],
    },
  };
}
