import { displayName } from '#libs/domain';
import type { IgnoredReason, PulledPage, PullFailure } from '../connector.ts';
import { type Json, listOf, objectOf, textOf, textsOf } from '../json-values.ts';
import type { HostAlert } from './alert-signals.ts';
import { isFailingAlert } from './alert-state.ts';
import type { FalconClient } from './falcon-client.ts';
import { tagsMatching } from './falcon-filter.ts';
import { hostName } from './host-name.ts';
import { lookUpHosts } from './look-up-hosts.ts';

export interface PlacedAlerts {
  placed: HostAlert[];
  /** Detections that no longer fail, of hosts without a tag of the filters: they may have failed while it had one. */
  ended: HostAlert[];
  ignored: PulledPage['ignored'];
  /** Detections that are skipped because their hosts were not returned, although they may exist. */
  failed: PullFailure[];
}

const ID_CHARS_MAX = 200;
/** Detections of other products name ids that are no host's: the platform refuses a request that has one. */
const HOST_ID = /^[0-9a-f]{32}$/i;
const TAGS_MAX = 500;

/**
 * Finds the host of each detection on a page. An alert has the host's state at its time, and its name then, so that it
 * stays at one asset. If tags decide or the alert lacks the host name, the current hosts of a page are requested together.
 * @param isDelta a full pull has all detections that ever ended, so only those are `ended` whose host had a tag of the
 * filters at the time
 */
export async function placeAlerts(
  client: FalconClient,
  what: string,
  alerts: readonly Json[],
  { tagFilters, isDelta }: { tagFilters: readonly string[]; isDelta: boolean },
  signal: AbortSignal,
): Promise<PlacedAlerts> {
  const needsHost = (alert: Json) => tagFilters.length > 0 || nameIn(alert) === null;
  const ids = new Set(
    alerts
      .filter(needsHost)
      .map(hostKey)
      .filter((id) => HOST_ID.test(id)),
  );
  const { hosts, unanswered, flaw } = await lookUpHosts(client, `hosts of ${what}`, [...ids], signal);
  const wanted = new Set(tagsMatching(tagFilters));
  const isWanted = ({ tags }: Json) =>
    wanted.size === 0 || textsOf(listOf(tags), TAGS_MAX).some((tag) => wanted.has(tag));
  const result: PlacedAlerts = { placed: [], ended: [], ignored: {}, failed: [] };
  const ignore = (reason: IgnoredReason) => {
    result.ignored[reason] = (result.ignored[reason] ?? 0) + 1;
  };
  let left = 0;
  for (const alert of alerts) {
    const id = hostKey(alert);
    const host = hosts.get(id) ?? objectOf(alert.device);
    const name = nameIn(alert) ?? hostName(host) ?? deviceId(alert);
    const isGone = ids.has(id) && !hosts.has(id);
    if (unanswered.has(id) && needsHost(alert)) left += 1;
    else if (name === '') ignore('noHost');
    else if (isGone && nameIn(alert) === null) ignore('goneHost');
    else if (isWanted(host)) result.placed.push({ host: name, alert });
    else if (!isFailingAlert(alert) && (isDelta || isWanted(objectOf(alert.device)))) {
      result.ended.push({ host: name, alert });
    } else if (isGone) ignore('goneHost');
    else ignore('otherTags');
  }
  if (left > 0) result.failed.push(unansweredHosts(what, unanswered.size, left, flaw));
  return result;
}

const unansweredHosts = (what: string, hosts: number, left: number, flaw: string | null): PullFailure => ({
  what: `hosts of ${what}`,
  message: `${hosts} requested hosts were not returned, so ${left} detections are skipped${flaw === null ? '' : `: ${flaw}`}`,
});

const hostKey = (alert: Json): string => deviceId(alert).toLowerCase();

const deviceId = (alert: Json): string =>
  [objectOf(alert.device).device_id, alert.agent_id, alert.source_endpoint_sensor_id]
    .map((id) => displayName(textOf(id, ID_CHARS_MAX)))
    .find((id) => id !== '') ?? '';

/** Alerts on identities name the machine apart from a device. */
const nameIn = (alert: Json): string | null =>
  hostName(objectOf(alert.device)) ?? hostName({ hostname: alert.source_endpoint_host_name });
