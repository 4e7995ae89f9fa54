import { describe, expect, it } from '@jest/globals';
import { noCounts } from '#libs/domain';
import { syncView } from './sync-view.ts';
import type { SyncRow } from './syncs.repository.ts';

const outcome = { ...noCounts(), unchanged: 3 };
const SYNC: SyncRow = {
  id: '00000000-0000-4000-8000-000000000000',
  integrationId: '00000000-0000-4000-8000-000000000001',
  action: 'manual',
  isFull: true,
  requestedBy: 'admin',
  requestedAt: 0,
  startedAt: 0,
  finishedAt: null,
  stage: 'TRANSFORMING',
  percent: 50,
  status: 1,
  counts: {},
  errors: [],
  retry: 0,
  cancelRequestedBy: null,
  endReason: null,
  uploads: 4,
  counted: 2,
  outcome,
};

describe('the outcome of a sync', () => {
  it.each([
    ['so far while it runs', {}, outcome],
    ['not known after its end until all is processed', { finishedAt: 1 }, null],
    ['complete when all is processed', { finishedAt: 1, counted: 4 }, outcome],
  ])('is %s', (_, changed, expected) => {
    expect(syncView({ ...SYNC, ...changed }).outcome).toEqual(expected);
  });
});
