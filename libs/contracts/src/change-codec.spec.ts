import { describe, expect, it } from '@jest/globals';
import {
  ASSETS_TOPIC,
  type AssetChanged,
  ChangeCodec,
  type ChangeEvent,
  decodeChange,
  FINDINGS_TOPIC,
  UnknownSchemaError,
} from './index.ts';

const FINDINGS = 1007;
const ASSETS = 1005;

const asset: ChangeEvent = {
  kind: 'asset',
  changed: {
    id: 'a',
    entityType: 'machine',
    name: 'web01',
    aliases: [],
    hostname: null,
    fqdn: null,
    ipAddresses: [],
    macAddresses: [],
    os: null,
    type: 'Server',
    attackSurface: 'Infrastructure',
    department: 'Unassigned',
    location: 'Unassigned',
    criticality: null,
    confidentialityRequirement: null,
    integrityRequirement: null,
    availabilityRequirement: null,
    tags: {},
    customFields: {},
    sources: [],
    isEdrManaged: false,
    firstSeen: 1,
    lastSeen: 2,
    deletedAt: null,
    erasedAt: 3,
    version: 1,
    updatedAt: 2,
    change: {
      name: 'created',
      at: 1,
      cause: {
        kind: 'zip',
        eventId: 'e',
        uploadId: null,
        entry: null,
        syncId: null,
        user: null,
        requestId: null,
      },
      sequence: 1,
      position: { topic: 'posture.intake', partition: 0, offset: 0 },
    },
  } satisfies AssetChanged,
};

/** An asset as it is published if a registry has given the id. */
const underId = (registryId: number) =>
  new ChangeCodec(ASSETS_TOPIC, [{ schemaId: ASSETS, registryId }]).encode(asset);

const underFixedIds = (event: ChangeEvent) => new ChangeCodec(ASSETS_TOPIC).encode(event);

describe('ChangeCodec', () => {
  it('writes the fixed ids if no registry has given any', () => {
    const bytes = underFixedIds(asset);
    expect(bytes.readInt32BE(1)).toBe(ASSETS);
    expect(decodeChange(bytes)).toEqual(asset);
  });

  it('writes the last id that a registry assigned, and reads earlier and fixed ids', () => {
    const codec = new ChangeCodec(ASSETS_TOPIC, [
      { schemaId: ASSETS, registryId: 7 },
      { schemaId: FINDINGS, registryId: 8 },
      { schemaId: ASSETS, registryId: 9 },
    ]);
    expect(codec.encode(asset).readInt32BE(1)).toBe(9);
    for (const bytes of [underId(7), underId(9), underFixedIds(asset)])
      expect(codec.decode(bytes)).toEqual(asset);
  });

  it('is not misled by ids that mean something else in other topics', () => {
    const codec = new ChangeCodec(ASSETS_TOPIC, [
      { schemaId: FINDINGS, registryId: ASSETS },
      { schemaId: ASSETS, registryId: FINDINGS },
    ]);
    expect(codec.decode(underId(FINDINGS))).toEqual(asset);
    expect(codec.decode(underFixedIds(asset))).toEqual(asset);
  });

  it('knows neither the ids of other topics nor those of schemas that a later version has', () => {
    const codec = new ChangeCodec(ASSETS_TOPIC, [
      { schemaId: FINDINGS, registryId: 8 },
      { schemaId: 1_999, registryId: 9 },
    ]);
    for (const id of [FINDINGS, 8, 9]) expect(() => codec.decode(underId(id))).toThrow(UnknownSchemaError);
    expect(() => new ChangeCodec(FINDINGS_TOPIC).decode(underFixedIds(asset))).toThrow(UnknownSchemaError);
  });
});
