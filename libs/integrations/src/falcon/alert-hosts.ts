import { displayName } from '#libs/domain';
import { type Json, listOf, objectOf, textOf, textsOf } from '../json-values.ts';
import type { HostAlert } from './alert-signals.ts';
import type { FalconClient } from './falcon-client.ts';
import { tagsMatching } from './falcon-filter.ts';
import { hostName } from './host-name.ts';

export interface PlacedAlerts {
  placed: HostAlert[];
  /** Detections of identities or clouds that name no host. */
  noHost: number;
  /** Detections of hosts that have none of the tags asked for (D30). */
  otherTags: number;
}

const ID_CHARS_MAX = 200;
/** Detections of other products name ids that are no host's: the platform refuses a request that has one. */
const HOST_ID = /^[0-9a-f]{32}$/i;
const TAGS_MAX = 500;

/**
 * Finds the host of each detection on a page. An alert has the host as it was then; as it is now it is asked for, in
 * one request, where tags decide or the alert lacks the host name.
 */
export async function placeAlerts(
  client: FalconClient,
  what: string,
  alerts: readonly Json[],
  tagFilters: readonly string[],
  signal: AbortSignal,
): Promise<PlacedAlerts> {
  const isAsked = (alert: Json) => tagFilters.length > 0 || nameIn(alert) === null;
  const ids = new Set(
    alerts
      .filter(isAsked)
      .map(deviceId)
      .filter((id) => HOST_ID.test(id)),
  );
  const found = ids.size > 0 ? await client.hostsById(`hosts of ${what}`, [...ids], signal) : [];
  const hosts = new Map(found.map((host) => [textOf(host.device_id, ID_CHARS_MAX).toLowerCase(), host]));
  const wanted = new Set(tagsMatching(tagFilters));
  const result: PlacedAlerts = { placed: [], noHost: 0, otherTags: 0 };
  for (const alert of alerts) {
    const host = hosts.get(deviceId(alert).toLowerCase()) ?? objectOf(alert.device);
    const name = hostName(host) ?? nameIn(alert) ?? deviceId(alert);
    if (name === '') result.noHost += 1;
    else if (wanted.size > 0 && !textsOf(listOf(host.tags), TAGS_MAX).some((tag) => wanted.has(tag))) {
      result.otherTags += 1;
    } else result.placed.push({ host: name, alert });
  }
  return result;
}

const deviceId = (alert: Json): string =>
  [objectOf(alert.device).device_id, alert.agent_id, alert.source_endpoint_sensor_id]
    .map((id) => displayName(textOf(id, ID_CHARS_MAX)))
    .find((id) => id !== '') ?? '';

/** Alerts on identities name the machine apart from a device. */
const nameIn = (alert: Json): string | null =>
  hostName(objectOf(alert.device)) ?? hostName({ hostname: alert.source_endpoint_host_name });
