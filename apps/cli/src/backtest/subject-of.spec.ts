import { expect, it } from '@jest/globals';
import { described, event, Scenario, T0, upload } from '../../../../test/support/scenario.ts';
import { subjectOf } from './subject-of.ts';

it('the subject is managed by EDR from the listing of the host until its end', () => {
  const run = new Scenario().fold(...upload(1, T0, [described()]));
  const isManaged = () => subjectOf(run.entity.assets[0]!).asset.isEdrManaged;
  expect(isManaged()).toBe(false);
  run.fold(...upload(2, T0 + 1, [described({ isEdrManaged: true })]));
  expect(isManaged()).toBe(true);
  const { id: assetId } = run.entity.assets[0]!.asset;
  run.fold(event({ type: 'EdrManagementEnded', assetId, source: 'inventory' }, T0 + 2));
  expect(isManaged()).toBe(false);
});
