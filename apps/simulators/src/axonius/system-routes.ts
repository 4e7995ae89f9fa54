import type { Route } from '../http/route.ts';
import type { Collection } from '../records/collection.ts';
import type { AxoniusPlatform } from './axonius-platform.ts';
import type { Device } from './device.ts';

/** The requests of a starting client, and the lists of selectable fields. */
export function systemRoutes(platform: AxoniusPlatform, devices: Collection<Device>): Route[] {
  const read = (path: string, bodyOf: () => unknown): Route =>
    platform.guarded('nothing', { method: 'GET', path, answer: () => ({ status: 200, body: bodyOf() }) });
  return [
    read('/api/get_constants', () => ({})),
    read('/api/settings/meta/about', () => document('about_schema', ABOUT)),
    read('/api/settings/metadata', () => ABOUT),
    read('/api/login', () => document('current_user_schema', USER)),
    read('/', () => ({})),
    read('/api/devices/fields', () => ({ data: null, meta: { generic: FIELDS, specific: {} } })),
    read('/api/devices/labels', () => ({
      data: labelsOf(devices).map((value) => ({
        type: 'string_value_schema',
        id: value,
        attributes: { value },
      })),
    })),
  ];
}

const document = (type: string, attributes: object) => ({ data: { type, id: '1', attributes } });

const ABOUT = { 'Installed Version': '6.1.0', 'Build Date': '2026-01-15' };
const USER = {
  user_name: 'simulator',
  first_name: 'Simulated',
  last_name: 'User',
  role_name: 'Viewer',
  source: 'internal',
  uuid: '00000000-0000-4000-8000-000000000001',
};

const field = (name: string, title: string, type: 'array' | 'string' | 'integer') => ({
  name,
  title,
  type,
  ...(type === 'array' && { items: { type: 'string' } }),
});

const FIELDS = [
  field('adapters', 'Adapters', 'array'),
  field('adapter_list_length', 'Distinct Adapter Connections Count', 'integer'),
  field('internal_axon_id', 'Asset Unique ID', 'string'),
  field('labels', 'Tags', 'array'),
  ...[
    ['name', 'Asset Name'],
    ['hostname', 'Host Name'],
    ['fqdn', 'FQDN'],
    ['domain', 'Domain'],
    ['last_seen', 'Last Seen'],
    ['first_seen', 'First Seen'],
    ['network_interfaces.ips', 'IPs'],
    ['network_interfaces.mac', 'MAC'],
    ['os.type', 'OS: Type'],
    ['os.type_distribution', 'OS: Full OS String'],
    ['device_serial', 'Serial'],
    ['connection_label', 'Connection Label'],
    ['last_fetch_connection_label', 'Last Fetch Connection Label'],
    ['physical_location', 'Physical Location'],
  ].map(([name, title]) => field(`specific_data.data.${name}`, title ?? '', 'string')),
];

const labelsOf = (devices: Collection<Device>): string[] => {
  const labels = new Set<string>();
  for (const device of devices) for (const label of device.labels) labels.add(label);
  return [...labels].sort();
};
