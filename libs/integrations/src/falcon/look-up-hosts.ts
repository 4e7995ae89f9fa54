import { type Json, textOf } from '../json-values.ts';
import type { FalconClient } from './falcon-client.ts';

/** What the platform says of the hosts that were asked for. */
export interface LookedUpHosts {
  /** By id, in lower case. */
  hosts: Map<string, Json>;
  /** Ids, in lower case, of hosts that are neither here nor known to be gone. */
  unanswered: Set<string>;
  /** Why they did not come, where the platform says so. */
  flaw: string | null;
}

const ID_CHARS_MAX = 200;
/** Ids that fit into the address of a request. */
const FILTERED_MAX = 100;

/**
 * Asks for hosts by their ids, and for those that do not come once more by a filter, which the platform also counts by:
 * only where nothing is left of the count is a host taken for one that is no longer there.
 * @param ids in lower case
 */
export async function lookUpHosts(
  client: FalconClient,
  what: string,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<LookedUpHosts> {
  const hosts = new Map<string, Json>();
  const note = (found: readonly Json[]) => {
    for (const host of found) hosts.set(textOf(host.device_id, ID_CHARS_MAX).toLowerCase(), host);
  };
  const isMissing = (id: string) => !hosts.has(id);
  const unanswered = new Set<string>();
  let flaw: string | null = null;
  if (ids.length > 0) note((await client.hostsById(what, ids, signal)).hosts);
  const missing = ids.filter(isMissing);
  for (let from = 0; from < missing.length; from += FILTERED_MAX) {
    const asked = missing.slice(from, from + FILTERED_MAX);
    const found = await client.hostsFiltered(what, asked, signal);
    note(found.hosts);
    if (found.flaw === null && found.total === asked.filter((id) => !isMissing(id)).length) continue;
    flaw ??= found.flaw;
    for (const id of asked.filter(isMissing)) unanswered.add(id);
  }
  return { hosts, unanswered, flaw };
}
