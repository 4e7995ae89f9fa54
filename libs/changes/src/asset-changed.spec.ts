import { expect, it } from '@jest/globals';
import { assetRow } from '../../../test/fixtures/changes/history-rows.ts';
import { described, entity, Scenario, T0, upload } from '../../../test/support/scenario.ts';
import { assetChanged } from './asset-changed.ts';

it('an asset is published without the custom fields that an integration has emptied', () => {
  const customFields = { 'edrsource-tags': [], env: ['prod'] };
  const run = new Scenario().fold(...upload(1, T0, [described({ entity: entity({ customFields }) })]));
  const changed = assetChanged(assetRow(run.entity.assets[0]!.asset), 0);
  expect(changed.customFields).toEqual({ env: ['prod'] });
});
