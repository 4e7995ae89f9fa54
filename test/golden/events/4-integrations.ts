import { encodeIntake } from '#libs/contracts';
import { type IntakePayload, type IntegrationSaved, ORGANIZATION_KEY } from '#libs/domain';
import type { LogRecord } from '#libs/event-log';
import { DAY_MS, event, T0 } from '../../support/scenario.ts';

/** Integrations added, changed, refused and removed, and syncs asked for: schemas 18 to 20. */
export function integrationActs(): LogRecord[][] {
  return [acts().map(recordOf)];
}

const recordOf = (payload: IntakePayload, i: number): LogRecord => {
  const id = `f0000000-0000-5000-8000-${String(i + 1).padStart(12, '0')}`;
  const cause = { kind: 'user', user: 'ana', requestId: `request-${i}` } as const;
  const one = event(payload, T0 + i * (DAY_MS / 24), cause, { id, entityKey: ORGANIZATION_KEY });
  return { key: ORGANIZATION_KEY, value: encodeIntake(one) };
};

function acts(): IntakePayload[] {
  const [edrId, inventoryId] = [
    '90000000-0000-4000-8000-000000000001',
    '90000000-0000-4000-8000-000000000002',
  ];
  const syncId = '90000000-0000-4000-8000-000000000003';
  const edr: IntegrationSaved = {
    type: 'IntegrationSaved',
    id: edrId,
    seenVersion: null,
    integrationType: 'edrplugin',
    subType: 'falcon',
    name: 'Falcon',
    source: 'Falcon',
    config: { url: '"https://edr.example"', tagFilters: '["berlin"]', autoSyncDays: 'null' },
    secrets: ['clientSecret'],
    createdAt: T0,
  };
  const inventory: IntegrationSaved = {
    ...edr,
    id: inventoryId,
    integrationType: 'assetinventory',
    subType: 'axonius',
    name: 'Inventory',
    source: 'Inventory',
    config: {},
    secrets: [],
  };
  return [
    edr,
    { type: 'SyncRequested', integrationId: edrId, syncId, isFull: true },
    { type: 'SyncRequested', integrationId: edrId, syncId, isFull: false },
    inventory,
    // Its source stays, so that the name is free and the source is not.
    { ...edr, name: 'EDR', source: 'EDR', config: { url: '"https://edr.example"' }, secrets: [] },
    { ...inventory, id: syncId, name: 'falcon', source: 'falcon' },
    { ...inventory, name: 'edr' },
    { ...inventory, name: 'Falcon', config: { attackSurfaceTypes: '{' } },
    // Decided on a stale version, then on the current one.
    { ...edr, seenVersion: 1, name: 'Stale' },
    { ...edr, seenVersion: 2, name: 'EDR Berlin' },
    { type: 'IntegrationRemoved', id: edrId },
    { type: 'IntegrationRemoved', id: edrId },
    { ...edr, seenVersion: 3, name: 'Gone' },
    { type: 'IntegrationRemoved', id: inventoryId },
    { ...edr, name: 'Again', source: 'Again' },
  ];
}
