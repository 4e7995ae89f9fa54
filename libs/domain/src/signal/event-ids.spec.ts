import { describe, expect, it } from '@jest/globals';
import { assetId, closedEventId, findingId, signalEventId, uploadId } from './event-ids.ts';

const UPLOAD = uploadId('credential', 'key');
const ASSET = assetId('machine:web01');

describe('event ids', () => {
  it('are frozen: the log of today is replayed by every later version (ADR-0005)', () => {
    expect([
      UPLOAD,
      signalEventId(UPLOAD, 0),
      closedEventId(UPLOAD, 'machine:web01'),
      ASSET,
      findingId(ASSET, 'va', 'Outdated TLS'),
    ]).toMatchInlineSnapshot(`
[
  "43d6c553-7238-536b-b137-3f69d885784b",
  "eb4efb80-5fa2-5f1e-90fb-b689a63d20b0",
  "1c40f2c6-dcc8-5506-9e16-bfd23ff3b7b6",
  "72249fd1-0095-5747-b872-1f0096c7b98c",
  "16562034-d01e-59f0-a70f-505e4d3fa07d",
]
`);
  });

  it('differ by credential, key, entry, entity, type and name (R-UPL-2)', () => {
    const ids = [
      UPLOAD,
      uploadId('other', 'key'),
      uploadId('credential', 'other'),
      signalEventId(UPLOAD, 0),
      signalEventId(UPLOAD, 1),
      closedEventId(UPLOAD, 'machine:web01'),
      closedEventId(UPLOAD, 'machine:web02'),
      findingId(ASSET, 'va', 'Outdated TLS'),
      findingId(ASSET, 'ca', 'Outdated TLS'),
      findingId(ASSET, 'va', 'Outdated SSH'),
      findingId(assetId('machine:web02'), 'va', 'Outdated TLS'),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('a finding keeps its id with other white space and case of its name (R-FIND-1)', () => {
    expect(findingId(ASSET, 'va', '  outdated \n\t tls ')).toBe(findingId(ASSET, 'va', 'Outdated TLS'));
  });
});
