import { randomUUID } from 'node:crypto';
import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { BareFinding } from './bare-finding.ts';
import { causeOf, derivedOf, textArray } from './row-values.ts';
import type { PlacedFinding } from './row-writer.ts';

const TABLES = {
  assets: `asset_no, id, partition, entity_key, name, type, attack_surface, department, location, criticality,
    sources, custom_fields, state`,
  asset_history: 'partition, sequence, asset_no, at, change, cause, log_offset, state',
  asset_seen: 'asset_no, partition, last_seen',
  findings: `asset_no, finding_no, id, partition, type, name, state, severity_value, cves, techniques, source, version,
    body, text_id, updated_ms, first_seen_ms, derived_version`,
  finding_history: `partition, sequence, asset_no, finding_no, at, change, to_state, cause, log_offset, body`,
  finding_seen: `asset_no, finding_no, partition, signal_id, last_seen, expires_at, retain_until, stamp_at,
    stamp_upload, seen_at`,
};

type Table = keyof typeof TABLES;
type Value = string | number | null;

/** The in-memory state of a partition; the writer never queries the database. */
interface PartitionCounters {
  assets: Map<string, { number: number; findings: number }>;
  findings: number;
}

/**
 * Writes the rows of a replay for new findings, by COPY. It does not fold: every finding counts as new, and an asset as
 * new when its key occurs first.
 */
export class CopyWriter {
  private readonly partitions = new Map<number, PartitionCounters>();

  constructor(private readonly pool: pg.Pool) {}

  /** One batch of a partition, in order; `nextOffset` becomes its position. */
  async write(partition: number, placed: PlacedFinding[], nextOffset: number): Promise<void> {
    const counters = this.countersOf(partition);
    const lines = new TableLines();
    for (const { finding, offset } of placed) addFinding(lines, partition, counters, finding, offset);
    const { findings, assets } = counters;
    const client = await this.pool.connect();
    try {
      await client.query('begin');
      await lines.copyTo(client);
      await client.query(MOVE_POSITION, [partition, nextOffset, findings, assets.size]);
      await client.query('commit');
      client.release();
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  private countersOf(partition: number): PartitionCounters {
    const counters = this.partitions.get(partition) ?? { assets: new Map(), findings: 0 };
    this.partitions.set(partition, counters);
    return counters;
  }
}

const MOVE_POSITION = `
  insert into projection_positions (partition, next_offset, finding_sequence, asset_sequence) values ($1, $2, $3, $4)
  on conflict (partition) do update set next_offset = excluded.next_offset,
    finding_sequence = excluded.finding_sequence, asset_sequence = excluded.asset_sequence`;

function addFinding(
  lines: TableLines,
  partition: number,
  counters: PartitionCounters,
  finding: BareFinding,
  offset: number,
): void {
  const at = new Date(finding.receivedAt).toISOString();
  const cause = escaped(causeOf(finding));
  const known = counters.assets.get(finding.entityKey);
  const asset = known ?? { number: (counters.assets.size + 1) * 1024 + partition, findings: 0 };
  if (!known) {
    counters.assets.set(finding.entityKey, asset);
    addAsset(lines, partition, counters.assets.size, asset.number, finding, { at, cause, offset });
  }
  asset.findings += 1;
  counters.findings += 1;
  const { body, name, state, source, uploadId } = finding;
  body.number = asset.findings;
  body.id = randomUUID();
  const json = escaped(JSON.stringify(body));
  lines.add('findings', [
    asset.number,
    body.number,
    body.id,
    partition,
    finding.type,
    escaped(name),
    state,
    finding.severity,
    escaped(textArray(finding.cves)),
    escaped(textArray(finding.techniques)),
    source === null ? null : escaped(source),
    1,
    json,
    ...derivedOf(finding),
  ]);
  lines.add('finding_history', [
    partition,
    counters.findings,
    asset.number,
    body.number,
    at,
    'created',
    state,
    cause,
    offset,
    json,
  ]);
  lines.add('finding_seen', [
    asset.number,
    body.number,
    partition,
    escaped(finding.signalId),
    new Date(finding.lastSeen).toISOString(),
    new Date(finding.expiresAt).toISOString(),
    new Date(finding.retainUntil).toISOString(),
    at,
    uploadId,
    at,
  ]);
}

function addAsset(
  lines: TableLines,
  partition: number,
  sequence: number,
  number: number,
  finding: BareFinding,
  { at, cause, offset }: { at: string; cause: string; offset: number },
): void {
  const { name, type, attackSurface, department, location, criticality, sources, state } = finding.asset();
  const id = randomUUID();
  const json = escaped(JSON.stringify(Object.assign(state, { number, id })));
  lines.add('assets', [
    number,
    id,
    partition,
    escaped(finding.entityKey),
    escaped(name),
    type,
    attackSurface,
    escaped(department),
    escaped(location),
    criticality,
    escaped(textArray(sources)),
    '{}',
    json,
  ]);
  lines.add('asset_history', [partition, sequence, number, at, 'created', cause, offset, json]);
  lines.add('asset_seen', [number, partition, at]);
}

/** Rows in COPY's text format (PostgreSQL, COPY "Text Format"), by table. */
class TableLines {
  private readonly lines = new Map<Table, string[]>();

  /** @param values texts must be escaped */
  add(table: Table, values: Value[]): void {
    const line = `${values.map((value) => value ?? '\\N').join('\t')}\n`;
    const lines = this.lines.get(table);
    if (lines) lines.push(line);
    else this.lines.set(table, [line]);
  }

  async copyTo(client: pg.PoolClient): Promise<void> {
    for (const [table, lines] of this.lines) {
      const stream = client.query(copyFrom(`copy ${table} (${TABLES[table]}) from stdin`));
      stream.end(Buffer.from(lines.join('')));
      await finished(stream);
    }
  }
}

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

const escaped = (text: string): string => text.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character]!);
