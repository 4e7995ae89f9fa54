import { expect, it } from '@jest/globals';
import { findingRow } from '../../../test/fixtures/changes/history-rows.ts';
import { instance, Scenario, signal, T0, upload } from '../../../test/support/scenario.ts';
import { findingChanged } from './finding-changed.ts';

it('a finding counts for scoring without imported catalogues', () => {
  const finding = new Scenario().fold(...upload(1, T0, [signal('a')])).finding('a')!;
  const instances = [instance('fail', { techniques: ['T1059.001'] })];
  expect(findingChanged(findingRow({ ...finding, instances }), 0)).toMatchObject({
    counted: true,
    notCountedBecause: null,
  });
});
