import { type Host, hostOf } from '../falcon/host.ts';
import type { Fields } from '../records/collection.ts';
import { Dice } from '../records/dice.ts';
import { DAY_MS, type Seeded } from '../records/seeded.ts';

/** An asset of the scanner, as the simulator keeps it; `assetV1` and `assetV2` are its forms in exports. */
export interface ScannedAsset extends Fields {
  id: string;
  fqdns: string[];
  hostnames: string[];
  netbios_names: string[];
  ipv4s: string[];
  mac_addresses: string[];
  operating_systems: string[];
  tags: { uuid: string; key: string; value: string; added_at: string }[];
  first_seen: string;
  last_seen: string;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
  terminated_at: string | null;
}

export interface SeededAssets extends Seeded {
  /** Hosts of the EDR platform that there are from the start. */
  hosts: number;
}

const NETWORK = '00000000-0000-0000-0000-000000000000';
const SITES = ['Berlin', 'Munich', 'London'];

/** Three of four assets are a host of the EDR platform too. */
const hostNumberOf = ({ hosts }: SeededAssets, number: number): number | undefined =>
  number % 4 !== 3 && number < hosts ? number : undefined;

/** Asset `number`, from 0: of one seed and number of hosts always the same. */
export function scannedAssetOf(seeded: SeededAssets, number: number): ScannedAsset {
  const dice = new Dice(seeded.seed, number);
  const hostNumber = hostNumberOf(seeded, number);
  const lastSeen = seeded.epochMs - 60_000 - dice.below(5 * DAY_MS, 'asset seen');
  const createdAt = iso(lastSeen - 100 * DAY_MS);
  return {
    id: asUuid(dice.id('tenable')),
    ...(hostNumber === undefined ? otherMachine(dice, number) : machineOf(hostOf(seeded, hostNumber))),
    tags: dice.chance(60, 'site tag')
      ? [
          {
            uuid: asUuid(dice.hex(32, 'tag')),
            key: 'site',
            value: dice.pick(SITES, 'site'),
            added_at: createdAt,
          },
        ]
      : [],
    first_seen: createdAt,
    last_seen: iso(lastSeen),
    created_at: createdAt,
    updated_at: iso(lastSeen),
    deleted_at: null,
    terminated_at: null,
  };
}

const iso = (ms: number): string => new Date(ms).toISOString();

export const asUuid = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');

type Machine = Pick<
  ScannedAsset,
  'fqdns' | 'hostnames' | 'netbios_names' | 'ipv4s' | 'mac_addresses' | 'operating_systems'
>;

function machineOf({ hostname, machine_domain = '', local_ip, mac_address, os_version }: Host): Machine {
  const domain = machine_domain === '' ? '' : `${hostname}.${machine_domain}`.toLowerCase();
  const fqdn = hostname.includes('.') ? hostname : domain;
  const label = hostname.split('.', 1)[0]!;
  return {
    fqdns: fqdn === '' ? [] : [fqdn],
    hostnames: [label],
    netbios_names: machine_domain === '' ? [] : [label.toUpperCase()],
    ipv4s: [String(local_ip)],
    mac_addresses: [String(mac_address).replaceAll('-', ':')],
    operating_systems: [os_version],
  };
}

/** Some are known only by their address. */
function otherMachine(dice: Dice, number: number): Machine {
  const isNamed = dice.chance(70, 'named');
  return {
    fqdns: isNamed && dice.chance(50, 'full') ? [`net-${number}.scan.example.org`] : [],
    hostnames: isNamed ? [`net-${number}`] : [],
    netbios_names: [],
    ipv4s: [`172.20.${(number >> 8) & 255}.${number & 255}`],
    mac_addresses: [],
    operating_systems: dice.chance(80, 'system') ? ['Linux Kernel 5.15 on Ubuntu 22.04'] : [],
  };
}

/** As the second version of the export has it: without empty properties. */
export function assetV2(asset: ScannedAsset): Fields {
  const { id, tags, operating_systems, first_seen, last_seen, created_at, updated_at } = asset;
  const { deleted_at, terminated_at, fqdns, hostnames, netbios_names, ipv4s, mac_addresses } = asset;
  return withoutEmpty({
    id,
    has_agent: false,
    has_plugin_results: true,
    is_licensed: true,
    types: ['host'],
    operating_systems,
    system_types: ['general-purpose'],
    sources: [{ name: 'NESSUS_SCAN', first_seen, last_seen }],
    tags,
    network: withoutEmpty({
      network_id: NETWORK,
      network_name: 'Default',
      fqdns,
      hostnames,
      netbios_names,
      ipv4s,
      mac_addresses,
    }),
    timestamps: withoutEmpty({ created_at, updated_at, deleted_at, terminated_at, first_seen, last_seen }),
    scan: { last_scan_time: last_seen },
  });
}

/** As the first version has it: flat, with every property. */
export const assetV1 = (asset: ScannedAsset): Fields => ({
  ...asset,
  has_agent: false,
  has_plugin_results: true,
  agent_names: [],
  ipv6s: [],
  network_id: NETWORK,
  sources: [{ name: 'NESSUS_SCAN', first_seen: asset.first_seen, last_seen: asset.last_seen }],
});

/** The asset in a record of a vulnerability. */
export const assetOfVulnerability = (asset: ScannedAsset): Fields =>
  withoutEmpty({
    uuid: asset.id,
    device_type: 'general-purpose',
    fqdn: asset.fqdns[0],
    hostname: asset.hostnames[0] ?? asset.ipv4s[0],
    netbios_name: asset.netbios_names[0],
    ipv4: asset.ipv4s[0],
    mac_address: asset.mac_addresses[0],
    operating_system: asset.operating_systems,
    network_id: NETWORK,
    tracked: true,
  });

const withoutEmpty = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0),
    ),
  );
