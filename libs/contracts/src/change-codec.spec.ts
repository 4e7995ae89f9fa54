import { describe, expect, it } from '@jest/globals';
import {
  ASSETS_TOPIC,
  type AssetChanged,
  ChangeCodec,
  type ChangeEvent,
  decodeChange,
  type RegisteredId,
} from './index.ts';

const FINDINGS = 1010;
const ASSETS = 1008;

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
    abridged: false,
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

const idOf = (registered: readonly RegisteredId[]) =>
  new ChangeCodec(ASSETS_TOPIC, registered).encode(asset).readInt32BE(1);

describe('ChangeCodec', () => {
  it('writes the fixed ids if no registry has given any', () => {
    const bytes = new ChangeCodec(ASSETS_TOPIC).encode(asset);
    expect(bytes.readInt32BE(1)).toBe(ASSETS);
    expect(decodeChange(bytes)).toEqual(asset);
  });

  it('writes the last id that a registry gave the latest version', () => {
    const first = { schemaId: ASSETS, registryId: 7 };
    expect(idOf([first, { schemaId: ASSETS, registryId: 9 }])).toBe(9);
    expect(idOf([first, { schemaId: ASSETS, registryId: FINDINGS }])).toBe(FINDINGS);
  });

  it('is not misled by ids of other topics, or of schemas that a later version has', () => {
    const others = [
      { schemaId: FINDINGS, registryId: ASSETS },
      { schemaId: 1_999, registryId: 9 },
    ];
    expect(idOf(others)).toBe(ASSETS);
    expect(idOf([{ schemaId: ASSETS, registryId: 7 }, ...others])).toBe(7);
  });
});
