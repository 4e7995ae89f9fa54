/** The fields that hosts can be filtered and sorted by. */
const HOST_FIELDS = new Set(
  `agent_load_flags agent_version bios_manufacturer cid device_id external_ip first_seen groups hostname last_seen
  local_ip mac_address machine_domain major_version minor_version modified_timestamp os_version ou platform_id
  platform_name product_type_desc provision_status reduced_functionality_mode serial_number site_name status
  system_manufacturer tags`.split(/\s+/),
);

/** Fields by which alerts can be filtered and sorted, in addition to those of their device. */
const ALERT_FIELDS = new Set(
  `agent_id aggregate_id assigned_to_name assigned_to_uid cid cmdline composite_id confidence crawled_timestamp
  created_timestamp description display_name filename filepath id name objective pattern_id platform product
  resolution scenario seconds_to_resolved seconds_to_triaged severity severity_name sha256 show_in_ui
  source_products status tactic tactic_id tags technique technique_id timestamp type updated_timestamp
  user_name`.split(/\s+/),
);

export const hostFields = (field: string): boolean => HOST_FIELDS.has(field);

export function alertFields(field: string): boolean {
  const [parent, ...rest] = field.split('.');
  if (parent === 'device') return hostFields(rest.join('.'));
  return ALERT_FIELDS.has(field) || /^mitre_attack\.(tactic|technique)(_id)?$/.test(field);
}
