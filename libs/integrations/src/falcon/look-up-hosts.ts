import { type Json, textOf } from '../json-values.ts';
import type { FalconClient } from './falcon-client.ts';

/** The platform's data about the requested hosts. */
export interface LookedUpHosts {
  /** By id, in lower case. */
  hosts: Map<string, Json>;
  /** Ids, in lower case, of hosts that were not returned and may still exist. */
  unanswered: Set<string>;
  /** Why they were not returned, if the platform states it. */
  flaw: string | null;
}

const ID_CHARS_MAX = 200;
/** Ids that fit into the address of a request. */
const FILTERED_MAX = 100;

/**
 * Requests hosts by their ids, and missing hosts again by a filter, for which the platform also returns a count. A host
 * counts as removed only if the platform returns as many hosts as it counts.
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
