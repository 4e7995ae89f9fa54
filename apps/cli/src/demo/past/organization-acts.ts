import {
  type IntakePayload,
  type IntegrationSaved,
  ORGANIZATION_KEY,
  type OwnerRule,
  type posture2,
  type Sla,
} from '#libs/domain';
import { AGENT_SOURCE, DEPARTMENTS, INVENTORY_TAGS, LOCATIONS, type Random } from '#libs/sample-data';
import type { PastAct } from './past-log.ts';
import { ADMIN, ANALYSTS, TEAMS } from './people.ts';
import { HOUR_MS, MINUTE_MS } from './times.ts';

const RECOGNITION_MS = 15 * MINUTE_MS;

/** Few findings had such times at first. */
const FIRST_SLA: Sla = {
  severity: { critical: 60, high: 120, medium: 240 },
  ssvc: {},
  kev: null,
  exceptionsNeedEnd: false,
};
const SLA: Sla = {
  severity: { critical: 45, high: 90, medium: 180 },
  ssvc: {},
  kev: null,
  exceptionsNeedEnd: true,
};

const LOSS_RANGES: posture2.LossRanges = {
  currency: 'EUR',
  byCriticality: {
    critical: { min: 100_000, max: 4_000_000 },
    high: { min: 20_000, max: 800_000 },
    medium: { min: 4_000, max: 120_000 },
    low: { min: 500, max: 25_000 },
  },
  byDepartment: [{ department: 'Finance', byCriticality: { critical: { min: 250_000, max: 9_000_000 } } }],
};

const rule = (departments: string[], owner: Pick<OwnerRule, 'user' | 'team'>): OwnerRule => ({
  departments,
  locations: [],
  tags: [],
  ...owner,
});
const team = (name: string) => ({ user: null, team: name });

const OWNER_RULES: OwnerRule[] = [
  rule(['Finance'], { user: ANALYSTS[0], team: null }),
  rule(['Human Resources'], { user: ANALYSTS[1], team: null }),
  rule(['Operations'], team(TEAMS.infrastructure)),
  rule(['Engineering', 'Research'], team(TEAMS.platform)),
  rule(['Sales', 'Support'], team(TEAMS.workplace)),
];

/** An integration of the past, as it was added. */
export interface PastIntegration extends Omit<IntegrationSaved, 'type' | 'seenVersion' | 'config'> {
  config: Record<string, unknown>;
}

const INVENTORY_SOURCE = 'asset-inventory';

/** @param random gives their ids @param at of their creation, epoch ms */
export function integrationsOf(
  random: Random,
  at: number,
): { edr: PastIntegration; inventory: PastIntegration } {
  return {
    edr: {
      id: random.uuid(),
      integrationType: 'edrplugin',
      subType: 'falcon',
      name: AGENT_SOURCE,
      source: AGENT_SOURCE,
      config: {
        url: 'https://edr.halden.example',
        autoSyncDays: 1,
        autoOnboardNewAssets: true,
        updateExistingAssetsMetadata: true,
        clientId: random.uuid().replaceAll('-', ''),
        tagFilters: [],
      },
      secrets: ['clientSecret'],
      createdAt: at,
    },
    inventory: {
      id: random.uuid(),
      integrationType: 'assetinventory',
      subType: 'axonius',
      name: INVENTORY_SOURCE,
      source: INVENTORY_SOURCE,
      config: {
        url: 'https://inventory.halden.example',
        autoSyncDays: 7,
        apiKey: random.uuid().replaceAll('-', ''),
        attackSurfaceTypes: ['Servers', 'Endpoints'],
      },
      secrets: ['apiSecret'],
      createdAt: at + MINUTE_MS,
    },
  };
}

/** @param seenVersion null: adds it */
const saved = (
  { config, ...integration }: PastIntegration,
  seenVersion: number | null,
  changes: Record<string, unknown> = {},
): IntegrationSaved => ({
  type: 'IntegrationSaved',
  ...integration,
  seenVersion,
  config: jsonOf({ ...config, ...changes }),
  secrets: seenVersion === null ? integration.secrets : [],
});

/** What an admin decides on the day before the first scan, from 9:00 on. @param day midnight UTC, epoch ms */
export function openingActs(
  integrations: readonly PastIntegration[],
  day: number,
  random: Random,
): PastAct[] {
  const payloads: IntakePayload[] = [
    ...DEPARTMENTS.map((name) => optionOf('departments', name, random)),
    ...LOCATIONS.map((name) => optionOf('locations', name, random)),
    {
      type: 'CustomFieldSaved',
      id: random.uuid(),
      name: INVENTORY_TAGS,
      fieldType: 'Text',
      multiValued: true,
      options: [],
      createdAt: day + 9 * HOUR_MS,
      recognisedAt: day + 9 * HOUR_MS + RECOGNITION_MS,
    },
    settings({ sla: FIRST_SLA }),
    settings({ lossRanges: LOSS_RANGES }),
    { type: 'OwnerRulesReplaced', seenVersion: null, rules: OWNER_RULES },
    ...integrations.map((one) => saved(one, null)),
  ];
  return inOrder(payloads, day + 9 * HOUR_MS, random);
}

/** The times become shorter, and acceptances need an end. */
export const shorterTimes = (day: number, random: Random): PastAct[] =>
  inOrder([settings({ sla: SLA })], day + 13 * HOUR_MS, random);

/** There is no platform to sync with: the schedules end with the past. */
export const schedulesOff = (
  integrations: readonly PastIntegration[],
  day: number,
  random: Random,
): PastAct[] =>
  inOrder(
    integrations.map((one) => saved(one, 1, { autoSyncDays: null })),
    day + 15 * HOUR_MS,
    random,
  );

const jsonOf = (values: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)]));

const settings = (changes: Record<string, unknown>): IntakePayload => ({
  type: 'SettingsChanged',
  seenVersion: null,
  changes: jsonOf(changes),
});

const optionOf = (list: 'departments' | 'locations', name: string, random: Random): IntakePayload => ({
  type: 'OptionSaved',
  list,
  id: random.uuid(),
  name,
  isDefault: false,
});

/** One after the other, two minutes apart. */
const inOrder = (payloads: readonly IntakePayload[], from: number, random: Random): PastAct[] =>
  payloads.map((payload, index) => ({
    id: random.uuid(),
    user: ADMIN,
    entityKey: ORGANIZATION_KEY,
    at: from + index * 2 * MINUTE_MS,
    payload,
  }));
