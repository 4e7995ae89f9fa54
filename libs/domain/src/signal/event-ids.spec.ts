import { describe, expect, it } from '@jest/globals';
import { assetId, closedEventId, findingId, furtherAssetId, signalEventId, uploadId } from './event-ids.ts';

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

  it('of a further asset have the name after a character that no key has, from rules 7 on (R-ASSET-7)', () => {
    const further = [6, 7].map((rules) => furtherAssetId('machine:web01', 'Web01.example.com', rules));
    expect(further).toMatchInlineSnapshot(`
[
  "e59d0b78-eec5-536f-bf69-59f7e6dd9957",
  "dd9ec9e3-8453-5f84-bab0-7e0794511687",
]
`);
    // An entity that is called like the text of such an id, and one that only looks like it.
    const keys = ['machine:web01|web01.example.com', 'machine:web01|db01.example.com'];
    expect(keys.map(assetId)).toMatchInlineSnapshot(`
[
  "0a8da1ce-ec72-5108-bdf6-3062451c0f87",
  "61902173-03f6-5fe4-9bbf-60e055899304",
]
`);
    expect(new Set([ASSET, ...further, ...keys.map(assetId)]).size).toBe(5);
  });

  it('a finding keeps its id with other white space and case of its name (R-FIND-1)', () => {
    expect(findingId(ASSET, 'va', '  outdated \n\t tls ')).toBe(findingId(ASSET, 'va', 'Outdated TLS'));
  });
});
