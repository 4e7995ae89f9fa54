import { type Host, hostOf } from '../falcon/host.ts';
import type { Fields } from '../records/collection.ts';
import { Dice } from '../records/dice.ts';
import { DAY_MS, type Seeded, toSecond } from '../records/seeded.ts';

/** A device as the inventory answers it: flat dotted keys, an aggregate being one value or a list of them. */
export interface Device extends Fields {
  /** 32 hexadecimal digits. */
  internal_axon_id: string;
  adapters: string[];
  adapter_list_length: number;
  /** The tags of the inventory itself. */
  labels: string[];
}

/** The data of an inventory source about a machine. */
export interface AdapterTag {
  key: string;
  source: string;
  value: string;
}

export interface SeededDevices extends Seeded {
  /** Hosts of the EDR platform that there are from the start. */
  hosts: number;
}

interface Machine {
  /** Empty if only the full name is known. */
  hostname: string;
  /** Empty if it is in no domain. */
  fqdn: string;
  domain: string;
  ips: string[];
  mac: string;
  osType: string;
  distribution: string;
}

const PREFIX = 'specific_data.data.';
const ADAPTERS = [
  'active_directory_adapter',
  'crowd_strike_adapter',
  'esx_adapter',
  'nexpose_adapter',
  'service_now_adapter',
];
const LABELS = ['PCI', 'Crown Jewels', 'Decommission soon', 'Lab'];
const LOCATIONS = ['Berlin', 'Munich', 'London', 'New York'];
const DISPLAY_NAMES = ['VMware Virtual Platform', 'Windows%20Server%202019%20(golden)', 'Reception PC'];
const TAG_VALUES = {
  env: ['prod', 'test'],
  owner: ['payments', 'platform'],
  'cost-center': ['1001', '2002'],
};

/** Which host of the EDR platform a device is too; undefined if it is none. */
const hostNumberOf = ({ hosts }: SeededDevices, number: number): number | undefined =>
  number % 3 !== 2 && number < hosts ? number : undefined;

/** Device `number`, from 0: of one seed and number of hosts always the same. */
export function deviceOf(seeded: SeededDevices, number: number): Device {
  const dice = new Dice(seeded.seed, number);
  const machine = machineOf(seeded, dice, number);
  const adapters = ADAPTERS.filter((name, i) => i === number % ADAPTERS.length || dice.chance(40, name));
  const lastSeenMs = seeded.epochMs - 60_000 - dice.below(5 * DAY_MS, 'device seen');
  const aggregate = (values: string[], name: string) => aggregated(dice, values, name);
  return {
    internal_axon_id: dice.id('axon'),
    adapters,
    adapter_list_length: adapters.length,
    labels: LABELS.filter((label) => dice.chance(20, label)),
    ...within({
      name: aggregate(namesOf(dice, machine), 'name'),
      hostname: aggregate(known(machine.hostname), 'hostname'),
      fqdn: aggregate(known(machine.fqdn), 'fqdn'),
      domain: aggregate(known(machine.domain), 'domain'),
      last_seen: toSecond(lastSeenMs).replace('Z', '+00:00'),
      first_seen: toSecond(lastSeenMs - 200 * DAY_MS).replace('Z', '+00:00'),
      'network_interfaces.ips': machine.ips,
      'network_interfaces.mac': aggregate([machine.mac], 'mac'),
      'os.type': aggregate([machine.osType], 'os type'),
      'os.type_distribution': aggregate([`${machine.osType} ${machine.distribution}`], 'distribution'),
      device_serial: dice.hex(12, 'serial').toUpperCase(),
      connection_label: aggregate(labelsOf(adapters), 'label'),
      last_fetch_connection_label: aggregate(labelsOf(adapters), 'last label'),
      physical_location: dice.pick(LOCATIONS, 'location'),
      tags: adapterTagsOf(dice, adapters),
    }),
  };
}

/** Fields without a value are absent. */
const within = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[PREFIX + name, value]])),
  );

/** One value comes with or without a list around it. */
function aggregated(dice: Dice, values: string[], name: string): string | string[] | undefined {
  if (values.length === 0) return undefined;
  return values.length === 1 && dice.chance(50, `${name} alone`) ? values[0] : values;
}

const known = (text: string): string[] => (text === '' ? [] : [text]);

const labelsOf = (adapters: string[]): string[] =>
  adapters.map((name) => `${name.replace('_adapter', '').replaceAll('_', '-')}-main`);

function machineOf(seeded: SeededDevices, dice: Dice, number: number): Machine {
  const hostNumber = hostNumberOf(seeded, number);
  if (hostNumber !== undefined) return machineOfHost(hostOf(seeded, hostNumber), number);
  const isWindows = dice.chance(50, 'device system');
  const hostname = `INV-${String(number).padStart(5, '0')}`;
  return {
    hostname,
    fqdn: dice.chance(60, 'device domain') ? `${hostname.toLowerCase()}.inventory.example.org` : '',
    domain: 'inventory.example.org',
    ips: [`172.16.${(number >> 8) & 255}.${number & 255}`],
    mac: `02:00:00:${macEnd(number)}`,
    osType: isWindows ? 'Windows' : 'Linux',
    distribution: isWindows ? 'Server 2019' : 'Ubuntu 22.04',
  };
}

/** Every second one of those with a full name is known only by that name. */
function machineOfHost(host: Host, number: number): Machine {
  const fqdn = fqdnOf(host);
  const isFullNameOnly = fqdn !== '' && number % 3 === 1;
  const isMac = host.platform_name === 'Mac';
  return {
    hostname: isFullNameOnly ? '' : host.hostname,
    fqdn,
    domain: host.machine_domain ?? '',
    ips: [String(host.local_ip), 'fe80::1'],
    mac: String(host.mac_address).replaceAll('-', ':').toUpperCase(),
    osType: isMac ? 'OS X' : host.platform_name,
    distribution: host.os_version.replace(/^Windows /, ''),
  };
}

/** Empty if the machine is in no domain and has no name with a dot. */
function fqdnOf({ hostname, machine_domain = '' }: Host): string {
  if (hostname.includes('.')) return hostname;
  return machine_domain === '' ? '' : `${hostname}.${machine_domain}`.toLowerCase();
}

/** Names of the machine and names that people gave it, in no order. */
function namesOf(dice: Dice, { hostname }: Machine): string[] {
  const shown = dice.chance(60, 'display name') ? [dice.pick(DISPLAY_NAMES, 'which name')] : [];
  const names = dice.chance(50, 'order') ? [hostname, ...shown] : [...shown, hostname];
  return names.filter((name) => name !== '');
}

function adapterTagsOf(dice: Dice, adapters: string[]): AdapterTag[] {
  const source = adapters[0] ?? '';
  return Object.entries(TAG_VALUES)
    .filter(([key]) => dice.chance(50, key))
    .map(([key, values]) => ({ key, source, value: dice.pick(values, `value of ${key}`) }));
}

const macEnd = (number: number): string =>
  [16, 8, 0].map((bits) => ((number >> bits) & 255).toString(16).padStart(2, '0').toUpperCase()).join(':');
