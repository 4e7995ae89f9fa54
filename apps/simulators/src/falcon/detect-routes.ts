import type { Answer } from '../http/answer.ts';
import type { Route } from '../http/route.ts';
import type { Fields } from '../records/collection.ts';
import type { Alert } from './alert.ts';
import type { Alerts } from './alert-routes.ts';
import { envelope } from './envelope.ts';
import type { FalconPlatform } from './falcon-platform.ts';
import { nextOffset } from './next-offset.ts';
import { filterOf, idsOf, objectOf, offsetAndLimit } from './parameters.ts';
import { parseSort } from './sort.ts';

const IDS_MAX = 1_000;
const FIELDS = new Set(['status', 'first_behavior', 'last_behavior', 'date_updated', 'max_severity']);
const VERDICTS = ['true_positive', 'false_positive', 'ignored'];

/** The endpoints that alerts have taken the place of. */
export function detectRoutes(platform: FalconPlatform, alerts: Alerts): Route[] {
  const knows = (field: string) => FIELDS.has(field) || field.startsWith('device.');
  return [
    platform.guarded('alerts:read', {
      method: 'GET',
      path: '/detects/queries/detects/v1',
      next: nextOffset,
      answer({ query }): Answer {
        const { offset, limit } = offsetAndLimit(query, { limit: 100, limitMax: 9_999 });
        const { name, matches } = filterOf(query.get('filter') ?? '', knows, alerts.nowMs());
        const sort = parseSort(query.get('sort') ?? '', knows);
        const { numbers } = alerts.found.find(
          {
            name: name === undefined ? undefined : `detects ${name}`,
            matches: (record) => matches(detectOf(record as Alert)),
          },
          sort && { ...sort, keyOf: (record) => sort.keyOf(detectOf(record as Alert)) },
        );
        const page = numbers.slice(offset, offset + limit);
        return envelope(200, {
          resources: page.map((number) => detectOf(alerts.collection.at(number) as Alert).detection_id),
          pagination: { total: numbers.length, offset, limit },
        });
      },
    }),
    platform.guarded('alerts:read', {
      method: 'POST',
      path: '/detects/entities/summaries/GET/v1',
      answer(asked): Answer {
        const ids = idsOf(objectOf(asked).ids, 'ids', IDS_MAX);
        const found = ids.map((id) => alerts.collection.withId(compositeIdOf(alerts, id)));
        return envelope(200, { resources: found.filter((alert) => alert !== undefined).map(detectOf) });
      },
    }),
  ];
}

/** The earlier status of an alert: of a closed one, its verdict. */
function detectOf(alert: Alert): Fields {
  const verdict = alert.status === 'closed' && alert.tags.find((tag) => VERDICTS.includes(tag));
  return {
    cid: alert.cid,
    detection_id: `ldt:${alert.id}`,
    created_timestamp: alert.created_timestamp,
    device: alert.device,
    first_behavior: alert.timestamp,
    last_behavior: alert.timestamp,
    date_updated: alert.updated_timestamp,
    max_severity: alert.severity,
    max_severity_displayname: alert.severity_name,
    status: verdict || alert.status,
    behaviors: [
      {
        device_id: alert.agent_id,
        timestamp: alert.timestamp,
        behavior_id: String(alert.pattern_id),
        filename: alert.filename,
        filepath: alert.filepath,
        cmdline: alert.cmdline,
        severity: alert.severity,
        tactic: alert.tactic ?? '',
        tactic_id: alert.tactic_id ?? '',
        technique: alert.technique ?? '',
        technique_id: alert.technique_id ?? '',
        user_name: alert.user_name,
      },
    ],
  };
}

const compositeIdOf = ({ cid }: Alerts, detectionId: string): string =>
  `${cid}:${detectionId.replace(/^ldt:/, '')}`;
