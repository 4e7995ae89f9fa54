import { expect, it } from '@jest/globals';
import { described, entity, Scenario, T0, upload } from '../../../test/support/scenario.ts';
import { assetChanged } from './asset-changed.ts';

it('an asset is published without the custom fields that an integration has emptied', () => {
  const customFields = { 'edrsource-tags': [], env: ['prod'] };
  const run = new Scenario().fold(...upload(1, T0, [described({ entity: entity({ customFields }) })]));
  const row = {
    sequence: 1,
    at: T0,
    change: 'created',
    cause: {
      kind: 'sync',
      eventId: 'e',
      uploadId: null,
      entry: null,
      syncId: null,
      user: null,
      requestId: null,
    },
    log_offset: 0,
    state: run.entity.assets[0]!.asset,
    last_seen: T0,
  } as const;
  expect(assetChanged(row, 0).customFields).toEqual({ env: ['prod'] });
});
