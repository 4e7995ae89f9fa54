import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { BareAsset, BareFinding } from './bare-finding.ts';
import { bareArray, causeOf, derivedOf, packed, textArray } from './row-values.ts';

/** The in-memory state of a partition; the writer never queries the database. */
interface PartitionCounters {
  assets: Map<string, { number: number; findings: number }>;
  findingSequence: number;
  assetSequence: number;
}

interface NewAsset {
  number: number;
  id: string;
  key: string;
  asset: BareAsset;
  cause: string;
  at: string;
  offset: number;
}

/** A finding with its place in the log. */
export interface PlacedFinding {
  finding: BareFinding;
  offset: number;
}

/**
 * Writes the rows that the projector writes for new findings, multi-row, with the position in the same transaction. It
 * does not fold: every finding counts as new, and an asset as new when its key occurs first.
 */
export class RowWriter {
  private readonly partitions = new Map<number, PartitionCounters>();

  constructor(private readonly pool: pg.Pool) {}

  /** One batch of a partition, in order; `nextOffset` becomes its position. */
  async write(partition: number, placed: PlacedFinding[], nextOffset: number): Promise<void> {
    const counters = this.countersOf(partition);
    const rows = new FindingRows();
    const assets: NewAsset[] = [];
    const seen = new Map<number, string>();
    for (const { finding, offset } of placed) {
      const at = new Date(finding.receivedAt).toISOString();
      const cause = causeOf(finding);
      let known = counters.assets.get(finding.entityKey);
      if (!known) {
        const number = (counters.assets.size + 1) * 1024 + partition;
        known = { number, findings: 0 };
        counters.assets.set(finding.entityKey, known);
        const id = randomUUID();
        assets.push({ number, id, key: finding.entityKey, asset: finding.asset(), cause, at, offset });
      }
      known.findings += 1;
      seen.set(known.number, at);
      rows.add(finding, known.number, known.findings, cause, at, offset);
    }
    const assetSequence = counters.assetSequence;
    const findingSequence = counters.findingSequence;
    counters.assetSequence += assets.length;
    counters.findingSequence += rows.count;
    await this.inTransaction(async (client) => {
      await client.query(MOVE_POSITION, [
        partition,
        nextOffset,
        counters.findingSequence,
        counters.assetSequence,
      ]);
      if (assets.length > 0) await insertAssets(client, partition, assetSequence, assets);
      if (seen.size > 0) await client.query(UPSERT_ASSETS_SEEN, [[...seen.keys()], [...seen.values()]]);
      if (rows.count > 0) {
        await client.query({
          name: 'findings',
          text: INSERT_FINDINGS,
          values: [partition, findingSequence, ...rows.parameters()],
        });
      }
    });
  }

  private countersOf(partition: number): PartitionCounters {
    let counters = this.partitions.get(partition);
    if (!counters) {
      counters = { assets: new Map(), findingSequence: 0, assetSequence: 0 };
      this.partitions.set(partition, counters);
    }
    return counters;
  }

  private async inTransaction(work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
    const client = await this.pool.connect();
    try {
      await client.query('begin');
      await work(client);
      await client.query('commit');
      client.release();
    } catch (error) {
      client.release(true);
      throw error;
    }
  }
}

const MOVE_POSITION = `
  insert into projection_positions (partition, next_offset, finding_sequence, asset_sequence) values ($1, $2, $3, $4)
  on conflict (partition) do update set next_offset = excluded.next_offset,
    finding_sequence = excluded.finding_sequence, asset_sequence = excluded.asset_sequence`;

const UPSERT_ASSETS_SEEN = `
  insert into asset_seen (asset_no, partition, last_seen)
  select asset_no, mod(asset_no, 1024), last_seen from unnest($1::bigint[], $2::timestamptz[]) as t (asset_no, last_seen)
  on conflict (asset_no) do update set last_seen = excluded.last_seen`;

const INSERT_ASSETS = `
  with made as (
    select * from unnest($3::bigint[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
                         $10::text[], $11::text[], $12::text[], $13::timestamptz[], $14::json[], $15::bigint[],
                         $16::json[]) with ordinality
      as t (asset_no, id, entity_key, name, type, attack_surface, department, location, criticality, sources, at,
            cause, log_offset, state, place)
  ), history as (
    insert into asset_history (partition, sequence, asset_no, at, change, cause, log_offset, state)
    select $1::int, $2::bigint + place, asset_no, at, 'created', cause, log_offset, state from made
  )
  insert into assets (asset_no, id, partition, entity_key, name, type, attack_surface, department, location,
                      criticality, sources, custom_fields, state)
  select asset_no, id, $1::int, entity_key, name, type, attack_surface, department, location, criticality,
         sources::text[], '{}', state from made`;

/** Sends the JSON of a finding once for both tables, and as bytes, which need no escaping. */
const INSERT_FINDINGS = `
  with made as (
    select *, convert_from(substring($19::bytea from cause_start for cause_length), 'UTF8')::json as cause,
           convert_from(substring($23::bytea from body_start for body_length), 'UTF8')::json as body
    from unnest($3::bigint[], $4::int[], $5::uuid[], $6::text[], $7::text[], $8::text[], $9::real[],
                $10::text[], $11::text[], $12::text[], $13::text[], $14::timestamptz[], $15::timestamptz[],
                $16::timestamptz[], $17::timestamptz[], $18::uuid[], $20::int[], $21::int[], $22::bigint[],
                $24::int[], $25::int[], $26::uuid[], $27::bigint[], $28::bigint[], $29::int[])
                with ordinality
      as t (asset_no, finding_no, id, type, name, state, severity, cves, techniques, source, signal_id, last_seen,
            expires_at, retain_until, at, upload_id, cause_start, cause_length, log_offset, body_start, body_length,
            text_id, updated_ms, first_seen_ms, derived_version, place)
  ), history as (
    insert into finding_history (partition, sequence, asset_no, finding_no, at, change, to_state, cause, log_offset,
                                 body)
    select $1::int, $2::bigint + place, asset_no, finding_no, at, 'created', state, cause, log_offset, body from made
  ), seen as (
    insert into finding_seen (asset_no, finding_no, partition, signal_id, last_seen, expires_at, retain_until, stamp_at,
                              stamp_upload)
    select asset_no, finding_no, $1::int, signal_id, last_seen, expires_at, retain_until, at, upload_id from made
  )
  insert into findings (asset_no, finding_no, id, partition, type, name, state, severity_value, cves, techniques,
                        source, version, body, text_id, updated_ms, first_seen_ms, derived_version)
  select asset_no, finding_no, id, $1::int, type, name, state, severity, cves::text[], techniques::text[], source, 1,
         body, text_id, updated_ms, first_seen_ms, derived_version from made`;

async function insertAssets(
  client: pg.PoolClient,
  partition: number,
  sequence: number,
  made: NewAsset[],
): Promise<void> {
  const assets = made.map(({ asset }) => asset);
  await client.query(INSERT_ASSETS, [
    partition,
    sequence,
    made.map(({ number }) => number),
    made.map(({ id }) => id),
    made.map(({ key }) => key),
    assets.map(({ name }) => name),
    assets.map(({ type }) => type),
    assets.map(({ attackSurface }) => attackSurface),
    assets.map(({ department }) => department),
    assets.map(({ location }) => location),
    assets.map(({ criticality }) => criticality),
    assets.map(({ sources }) => textArray(sources)),
    made.map(({ at }) => at),
    made.map(({ cause }) => cause),
    made.map(({ offset }) => offset),
    made.map(({ asset, number, id }) => JSON.stringify(Object.assign(asset.state, { number, id }))),
  ]);
}

/** Indexes of columns that the driver must escape: names and texts of the scanner. */
const QUOTED: ReadonlySet<number> = new Set([4, 7, 8, 9, 10]);

/** The rows of INSERT_FINDINGS. */
class FindingRows {
  /** Parameters $3 to $18. */
  private readonly columns: (string | number | null)[][] = Array.from({ length: 16 }, () => []);
  private readonly causes: string[] = [];
  private readonly offsets: number[] = [];
  private readonly bodies: string[] = [];
  /** Parameters $26 to $29. */
  private readonly derived: (string | number)[][] = [[], [], [], []];

  get count(): number {
    return this.bodies.length;
  }

  add(
    finding: BareFinding,
    assetNumber: number,
    number: number,
    cause: string,
    at: string,
    offset: number,
  ): void {
    const { body } = finding;
    body.number = number;
    body.id = randomUUID();
    [
      assetNumber,
      number,
      body.id as string,
      finding.type,
      finding.name,
      finding.state,
      finding.severity,
      textArray(finding.cves),
      textArray(finding.techniques),
      finding.source,
      finding.signalId,
      new Date(finding.lastSeen).toISOString(),
      new Date(finding.expiresAt).toISOString(),
      new Date(finding.retainUntil).toISOString(),
      at,
      finding.uploadId,
    ].forEach((value, i) => {
      this.columns[i]!.push(value);
    });
    this.causes.push(cause);
    this.offsets.push(offset);
    this.bodies.push(JSON.stringify(body));
    derivedOf(finding).forEach((value, i) => {
      this.derived[i]!.push(value);
    });
  }

  /** All parameters from $3 on. */
  parameters(): unknown[] {
    const [causes, bodies] = [packed(this.causes), packed(this.bodies)];
    return [
      ...this.columns.map((column, i) => (QUOTED.has(i) ? column : bareArray(column))),
      ...[causes.bytes, bareArray(causes.starts), bareArray(causes.lengths)],
      bareArray(this.offsets),
      ...[bodies.bytes, bareArray(bodies.starts), bareArray(bodies.lengths)],
      ...this.derived.map(bareArray),
    ];
  }
}
