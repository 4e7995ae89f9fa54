import type { Fields } from '../records/collection.ts';
import { Dice } from '../records/dice.ts';
import { DAY_MS, type Seeded, toSecond } from '../records/seeded.ts';
import { type OperatingSystem, operatingSystemAt } from './operating-systems.ts';

/** A host as the platform answers it; its fields are all text but for a few lists and objects. */
export interface Host extends Fields {
  device_id: string;
  cid: string;
  hostname: string;
  machine_domain?: string;
  os_version: string;
  platform_name: string;
  last_seen: string;
  tags: string[];
}

const SITES = ['BER', 'MUC', 'LON', 'NYC', 'SIN', 'WAW'];
const OWNERS = ['Anna', 'Ben', 'Chen', 'Dilara', 'Emil', 'Fatou', 'Goran', 'Hana'];
const DOMAINS = ['CORP.EXAMPLE.COM', 'EMEA.EXAMPLE.COM', 'APAC.EXAMPLE.COM'];
const DEPARTMENTS = ['Finance', 'Engineering', 'Sales', 'Operations', 'HR'];
const STAGES = ['Production', 'Staging', 'Development'];
const POLICY_TYPES = { prevention: 'prevention', sensor_update: 'sensor-update', firewall: 'firewall' };

/** The customer whose platform it is. */
export const cidOf = (seed: number): string => new Dice(seed, 0).hex(32, 'cid');

/** Host `number`, from 0: of one seed always the same. */
export function hostOf(seeded: Seeded, number: number): Host {
  const dice = new Dice(seeded.seed, number);
  const host = hostInAlerts(seeded, number);
  return {
    ...host,
    policies: [policyOf(dice, 'prevention', host.last_seen)],
    device_policies: Object.fromEntries(
      Object.entries(POLICY_TYPES).map(([name, type]) => [name, policyOf(dice, type, host.last_seen)]),
    ),
    notes: [],
    meta: {
      version: String(dice.below(20_000, 'version')),
      version_string: `7:${dice.below(1e9, 'versions')}`,
    },
  };
}

/** The fields of host `number` in an alert. */
export function hostInAlerts({ seed, epochMs }: Seeded, number: number): Host {
  const dice = new Dice(seed, number);
  const system = operatingSystemAt((count) => dice.below(count, 'system'));
  const firstSeenMs = epochMs - (30 + dice.below(400, 'first seen')) * DAY_MS;
  const lastSeenMs = epochMs - 120_000 - dice.below(7 * DAY_MS, 'last seen');
  const cid = cidOf(seed);
  return {
    device_id: dice.id('device'),
    cid,
    agent_load_flags: '0',
    agent_version: dice.pick(['7.22.19406.0', '7.24.19607.0', '7.26.19811.0'], 'agent'),
    bios_manufacturer: dice.pick(['Dell Inc.', 'LENOVO', 'VMware, Inc.'], 'maker'),
    external_ip: `203.0.113.${dice.below(254, 'external') + 1}`,
    mac_address: macOf(number),
    hostname: hostnameOf(dice, system, number),
    ...domainOf(dice, system),
    first_seen: toSecond(firstSeenMs),
    last_seen: toSecond(lastSeenMs),
    local_ip: addressOf(number),
    major_version: '10',
    minor_version: '0',
    os_version: system.version,
    platform_id: { Windows: '0', Mac: '1', Linux: '3' }[system.platform],
    platform_name: system.platform,
    reduced_functionality_mode: 'no',
    ou: system.platform === 'Windows' ? [dice.pick(DEPARTMENTS, 'ou'), 'WinComputers'] : [],
    groups: [dice.hex(32, 'group')],
    product_type_desc: system.product,
    provision_status: 'Provisioned',
    serial_number: dice.hex(12, 'serial').toUpperCase(),
    site_name: `${dice.pick(SITES, 'site')}-Default`,
    status: dice.chance(97, 'status')
      ? 'normal'
      : dice.pick(['containment_pending', 'contained'], 'contained'),
    system_manufacturer: dice.pick(['Dell Inc.', 'LENOVO', 'VMware, Inc.'], 'maker'),
    tags: tagsOf(dice),
    modified_timestamp: toSecond(lastSeenMs + dice.below(120_000, 'modified')),
  };
}

/** Every name is one machine's; some are full names already. */
function hostnameOf(dice: Dice, { platform, role }: OperatingSystem, number: number): string {
  const site = dice.pick(SITES, 'site');
  if (platform === 'Windows') return `${site}-${role}-${String(number).padStart(5, '0')}`;
  if (platform === 'Mac') {
    const name = `${dice.pick(OWNERS, 'owner')}s-${role}-${number}`;
    return dice.chance(50, 'local') ? `${name}.local` : name;
  }
  const name = `${role}-${number}`;
  return dice.chance(40, 'full') ? `${name}.${site.toLowerCase()}.example.net` : name;
}

/** Directory domains exist only for Windows; one machine in four is in none, and states this or nothing. */
function domainOf(dice: Dice, { platform }: OperatingSystem): { machine_domain?: string } {
  if (platform !== 'Windows') return dice.chance(30, 'no domain') ? { machine_domain: '' } : {};
  return { machine_domain: dice.chance(75, 'domain') ? dice.pick(DOMAINS, 'which domain') : '' };
}

function tagsOf(dice: Dice): string[] {
  const tags: string[] = [];
  if (dice.chance(70, 'department')) tags.push(`FalconGroupingTags/${dice.pick(DEPARTMENTS, 'ou')}`);
  if (dice.chance(60, 'stage')) tags.push(`SensorGroupingTags/${dice.pick(STAGES, 'which stage')}`);
  if (dice.chance(10, 'critical')) tags.push('FalconGroupingTags/Critical');
  return tags;
}

const policyOf = (dice: Dice, type: string, at: string): Fields => ({
  policy_type: type,
  policy_id: dice.hex(32, type),
  applied: true,
  settings_hash: dice.hex(8, `${type} settings`),
  assigned_date: at,
  applied_date: at,
  rule_groups: [],
});

const addressOf = (number: number): string =>
  [10, (number >> 16) & 255, (number >> 8) & 255, number & 255].join('.');

/** As the platform writes it: `00-50-56-00-00-01`. */
const macOf = (number: number): string =>
  [
    '00',
    '50',
    '56',
    ...[16, 8, 0].map((bits) => ((number >> bits) & 255).toString(16).padStart(2, '0')),
  ].join('-');
