import type { Json } from '../json-values.ts';

/** Selectors of the connectivity check, in the documented order (R-INV-5). */
const DOCUMENTED_FIELDS = [
  'specific_data.data.name',
  'specific_data.data.fqdn',
  'specific_data.data.network_interfaces.mac',
  'specific_data.data.network_interfaces.ips',
  'labels',
  'specific_data.data.connection_label',
  'specific_data.data.adapter_properties',
  'specific_data.data.os.type',
  'specific_data.data.os.type_distribution',
  'specific_data.data.tags.tag_key',
  'specific_data.data.tags.tag_source',
  'specific_data.data.tags.tag_value',
  'specific_data.data.physical_location',
  'internal_axon_id',
];

/** Additional fields of a pull: names to match by, and whole tags, so that key and value stay together. */
const PULLED_FIELDS = [
  ...DOCUMENTED_FIELDS,
  'specific_data.data.hostname',
  'specific_data.data.last_fetch_connection_label',
  'specific_data.data.tags',
];

/** The body of the documented connectivity check, exactly. */
export const connectivityBody = (): Json => ({
  meta: null,
  data: {
    type: 'entity_request_schema',
    attributes: {
      page: { offset: 0, limit: 1 },
      use_cache_entry: false,
      always_cached_query: false,
      get_metadata: true,
      include_details: true,
      fields: { devices: DOCUMENTED_FIELDS },
    },
  },
});

/** A page by cursor; the offset is raised along, as the platform's own client does. */
export const pageBody = (offset: number, limit: number, cursor: string | null): Json => ({
  meta: null,
  data: {
    type: 'entity_request_schema',
    attributes: {
      page: { offset, limit },
      filter: '',
      search: '',
      use_cache_entry: false,
      always_cached_query: false,
      get_metadata: true,
      include_details: true,
      use_cursor: true,
      cursor_id: cursor,
      fields: { devices: PULLED_FIELDS },
    },
  },
});

export const countBody = (): Json => ({
  meta: null,
  data: {
    type: 'entities_count_schema',
    attributes: { filter: '', search: '', use_cache_entry: false },
  },
});
