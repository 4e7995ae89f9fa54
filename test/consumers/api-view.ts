import type { ApiClient } from '../support/api-client.ts';
import { publishedFinding } from '../support/published-finding.ts';
import { type ConsumedRecord, inMilliseconds } from './consumed.ts';

/** A finding as stored by a subscriber, or as returned by the API; times in epoch ms. */
export interface FindingView {
  /** As the last record with a value says. */
  finding: any;
  /** Oldest first. */
  history: any[];
}

/** The API's view of every finding, including retired ones, by id. */
export async function findingsOfApi(client: ApiClient): Promise<Map<string, FindingView>> {
  const lists = ['/api/v3/findings', '/api/v3/findings?state=Retired'];
  const items = (await Promise.all(lists.map((path) => client.all(path)))).flat();
  const views = items.map(async ({ id }) => {
    const resource = publishedFinding(await client.get(`/api/v3/findings/${id}`));
    const history = (await client.all(`/api/v3/findings/${id}/history`)).map(withoutDifference);
    return [id, inMilliseconds({ finding: withoutMoving(resource), history })] as const;
  });
  return new Map(await Promise.all(views));
}

/** The same, by the records of the topic. */
export function findingsOfRecords(records: readonly ConsumedRecord[]): Map<string, FindingView> {
  const views = new Map<string, FindingView>();
  for (const { key, finding } of records) {
    if (finding === null) continue;
    const { change, abridged, nextSubmissionIntervalInMins, ...resource } = inMilliseconds(finding);
    const history = [...(views.get(key)?.history ?? []), historyItem(change)];
    views.set(key, { finding: withoutMoving(resource), history });
  }
  return views;
}

/** In a change these are from the moment of publishing (docs/guarantees.md): signals that change nothing move them. */
const withoutMoving = ({ lastSeen, expiresAt, ...resource }: any) => resource;

const historyItem = ({ name, sequence, ...item }: any) => ({ ...item, change: name });

/**
 * A record has the current values of a finding; the previous record has the values before, and the sync's row its user.
 */
const withoutDifference = ({ changes, changesLeftOut, version, cause, ...item }: any) => {
  const { integrationId, ...told } = cause;
  return { ...item, cause: told };
};
