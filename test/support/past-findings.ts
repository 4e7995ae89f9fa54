import type { TestDatabase } from './database.ts';
import { T0 } from './scenario.ts';

export interface PastFindings {
  assets: number;
  /** Findings of each asset. */
  findingsEach: number;
  /** Versions of each finding, ten days apart, the first one at `T0`. */
  changesEach: number;
}

/** Writes equal findings with a history, as rows: folding as many would take minutes. Assets have the numbers from 1 on. */
export async function fillPastFindings(
  { pool }: Pick<TestDatabase, 'pool'>,
  { assets, findingsEach, changesEach }: PastFindings,
): Promise<void> {
  const severity = {
    ...{ value: 7, level: null, type: null, version: null, vector: null },
    ...{ baseScore: null, temporalScore: null, environmentalScore: null },
  };
  const body = JSON.stringify({
    id: '00000000-0000-4000-8000-000000000000',
    type: 'va',
    subtype: null,
    name: 'open port',
    controlType: null,
    source: { name: 'scanner', nextSubmissionIntervalInMins: null },
    state: 'Failed',
    retiredReason: null,
    instances: [{ status: 'fail', counted: true, severity, cves: [], techniques: [] }],
    accepted: null,
    heldFailed: null,
    firstSeen: T0,
    version: 1,
    updatedAt: T0,
  });
  const state = JSON.stringify({
    name: 'web',
    ipAddresses: [],
    criticality: null,
    typing: { type: 'Server', attackSurface: 'Infrastructure', supports: [] },
    defaults: { department: '-', location: '-' },
    customFields: {},
    firstSeen: T0,
    updatedAt: T0,
    deletedAt: null,
  });
  const at = (days: string) => `to_timestamp(${T0 / 1000}) + ${days} * interval '1 day'`;
  await pool.query(`
    insert into assets (asset_no, id, partition, entity_key, name, type, attack_surface, department, location, sources,
                        custom_fields, state)
      select a, gen_random_uuid(), 0, 'machine:' || a, 'web', 'Server', 'Infrastructure', '-', '-', '{}', '{}', '${state}'
        from generate_series(1, ${assets}) a;
    insert into asset_seen (asset_no, partition, last_seen) select asset_no, partition, ${at('20')} from assets;
    insert into asset_history
      select 0, row_number() over (), asset_no, ${at('0')}, 'created', '{}', 0, '${state}' from assets;
    insert into findings
      select a, n, gen_random_uuid(), 0, 'va', 'open port', 'Failed', 7, '{}', '{}', 'scanner', 3, '${body}'
        from generate_series(1, ${assets}) a, generate_series(1, ${findingsEach}) n;
    insert into finding_seen (asset_no, finding_no, partition, signal_id, last_seen, expires_at, retain_until,
                              stamp_at, stamp_upload, seen_at)
      select asset_no, finding_no, partition, '', ${at('20')}, ${at('90')}, ${at('90')}, ${at('20')},
             gen_random_uuid(), ${at('20')}
        from findings;
    insert into finding_history
      select 0, row_number() over (order by c, asset_no, finding_no), asset_no, finding_no, ${at('c * 10')}, 'updated',
             'Failed', 'Failed', null, '{}', 0, '${body}', null
        from findings, generate_series(0, ${changesEach - 1}) c;
    analyze`);
}
