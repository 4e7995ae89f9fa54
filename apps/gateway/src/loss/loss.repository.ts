import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type SqlBool, sql, type Transaction } from 'kysely';
import { catalogueName } from '#libs/catalogue-store';
import { CLOCK, type Clock } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import {
  type ChoiceTimeline,
  choiceAt,
  DEFAULT_CHOICES,
  firstDifference,
  initialOrganization,
  type Level,
  ORGANIZATION_KEY,
  type Organization,
  posture2,
  type ScoringChoice,
  settingsInForce,
} from '#libs/domain';
import { type AssetGroup, isInGroup, readChoices } from '#libs/scores';
import { isVisibleAsset, type RowLimits, seesAllRows } from '#libs/tables';

/** What amounts follow from, as one snapshot of the database has it. */
export interface LossBasis {
  choice: ScoringChoice;
  ranges: posture2.LossRanges | null;
  /**
   * The log offset of the last change of an asset or a finding that is scored, for each partition: `0:1523,2:99`. The
   * same state has the same position, also after a replay. For a limited caller it would count the changes of all
   * assets: it is a digest of the visible ones, empty until they are read.
   */
  position: string;
  /** Whether many scores are being computed again: after an import, a replay, or a change of the model. */
  isBeingScored: boolean;
  /** Another one if an amount may be another one. */
  version: string;
}

/** An asset with a hazard. */
export interface HazardousAsset {
  id: string;
  assetNo: number;
  /** Of a year. */
  hazards: posture2.Interval;
  /** Null if none is set for it. */
  range: posture2.LossRange | null;
}

const ASSETS_MAX = 2_000;
/** As many changes as the scorer takes at a time: fewer are the usual lag. */
const WAITING_MAX = 2_000;

@Injectable()
export class LossRepository {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  basis(rows: RowLimits): Promise<LossBasis> {
    return this.inSnapshot((tx) => basisOf(tx, rows, this.clock()));
  }

  /** The basis and the visible assets of the same instant; no asset where there are no amounts. */
  assets(group: AssetGroup | null, rows: RowLimits): Promise<{ basis: LossBasis; assets: HazardousAsset[] }> {
    return this.inSnapshot(async (tx) => {
      const basis = await basisOf(tx, rows, this.clock());
      const { ranges, choice } = basis;
      if (!ranges || basis.isBeingScored || choice.model === 'posture-1') return { basis, assets: [] };
      const assets = await assetsOf(tx, { group, rows }, ranges, choice);
      return { basis: seesAllRows(rows) ? basis : { ...basis, position: digestOf(assets) }, assets };
    });
  }

  private inSnapshot<T>(read: (tx: Transaction<Schema>) => Promise<T>): Promise<T> {
    return this.db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(read);
  }
}

interface BasisRow {
  organization: Organization | null;
  isWaiting: boolean;
  position: string;
  scored: string;
  choices: (ChoiceTimeline | null)[];
}

async function basisOf(tx: Transaction<Schema>, limits: RowLimits, now: number): Promise<LossBasis> {
  const { rows } = await sql<BasisRow>`
    with progress as (
      select s.partition, s.sequence, s.choices, greatest(a.log_offset, f.log_offset) as last
      from scored_partitions s
      left join asset_history a on a.partition = s.partition and a.sequence = s.asset_sequence
      left join finding_history f on f.partition = s.partition and f.sequence = s.finding_sequence
    ), ends as (
      select (select max(valid_from) from score_history) as begun,
             (select max(valid_to) from score_history where valid_to < 'infinity') as ended
    ), waiting as (
      select coalesce(sum(p.asset_sequence - coalesce(s.asset_sequence, 0)
                        + p.finding_sequence - coalesce(s.finding_sequence, 0)), 0) as changes
      from projection_positions p left join scored_partitions s using (partition)
    )
    select (select state from organization where entity_key = ${ORGANIZATION_KEY}) as organization,
           exists (select 1 from catalogue_imports where marking_from is not null)
             or exists (select 1 from rescorings) or (select changes from waiting) > ${WAITING_MAX} as "isWaiting",
           coalesce((select string_agg(partition || ':' || last, ',' order by partition) from progress
                     where last is not null), '') as position,
           concat_ws(' ', (select sum(sequence) from progress), (select begun from ends),
                     (select ended from ends)) as scored,
           coalesce((select json_agg(choices) from progress), '[]') as choices`.execute(tx);
  const { organization, isWaiting, position, scored, choices: scoredWith } = rows[0]!;
  const { version, lossRanges } = settingsInForce((organization ?? initialOrganization()).settings);
  const choices = await readChoices(tx);
  const isScoredOtherwise = scoredWith.some(
    (known) => firstDifference(known ?? DEFAULT_CHOICES, choices) !== null,
  );
  return {
    choice: choiceAt(choices, Number.POSITIVE_INFINITY),
    ranges: lossRanges,
    position: seesAllRows(limits) ? position : '',
    isBeingScored: isWaiting || isScoredOtherwise,
    version: [version, position, scored, await catalogueName(tx, now), JSON.stringify(limits)].join(' '),
  };
}

interface AssetRow {
  id: string;
  assetNo: number;
  criticality: Level | null;
  department: string;
  forecast: string;
  low: string;
  best: string;
  high: string;
}

/** In the order of their ids. */
async function assetsOf(
  tx: Transaction<Schema>,
  { group, rows: limits }: { group: AssetGroup | null; rows: RowLimits },
  ranges: posture2.LossRanges,
  { incidentRates }: ScoringChoice,
): Promise<HazardousAsset[]> {
  const rangeOf = posture2.lossRangeFinder(ranges);
  const targeting = posture2.targetingOf(incidentRates);
  const conditions = [
    sql<SqlBool>`h.valid_to = 'infinity' and (h.forecast > 0 or h.evidence_high > 0)`,
    ...(group ? [isInGroup('h', group)] : []),
    ...isVisibleAsset(limits, 'a'),
  ];
  const scoredWith = await scoredCriticalities(tx);
  const assets: HazardousAsset[] = [];
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const { rows } = await sql<AssetRow>`
      select a.id, a.asset_no as "assetNo", a.criticality, h.department, h.forecast::text as forecast,
             h.evidence_low::text as low, h.evidence_best::text as best, h.evidence_high::text as high
      from assets a cross join lateral (
        select * from score_history h where h.asset_no = a.asset_no and h.partition = a.partition order by valid_from desc limit 1) h
      where a.id > ${after}::uuid and ${sql.join(conditions, sql` and `)}
      order by a.id limit ${ASSETS_MAX}`.execute(tx);
    for (const { id, assetNo, forecast, low, best, high, department, ...folded } of rows) {
      const known = scoredWith.get(assetNo);
      const criticality = known === undefined ? folded.criticality : known;
      const evidence = { low: BigInt(low), best: BigInt(best), high: BigInt(high) };
      const hazards = posture2.yearlyHazards({ forecast: BigInt(forecast), evidence }, targeting);
      assets.push({ id, assetNo, hazards, range: rangeOf({ criticality, department }) });
    }
    if (rows.length < ASSETS_MAX) return assets;
    after = rows.at(-1)!.id;
  }
}

/** Of assets that changed since they were scored: amounts follow from the state that the position names. */
async function scoredCriticalities(tx: Transaction<Schema>): Promise<Map<number, Level | null>> {
  const { rows } = await sql<Pick<AssetRow, 'assetNo' | 'criticality'>>`
    select distinct c.asset_no as "assetNo", h.criticality
    from scored_partitions s
    join asset_history c on c.partition = s.partition and c.sequence > s.asset_sequence
    cross join lateral (
      select state ->> 'criticality' as criticality from asset_history h
      where h.asset_no = c.asset_no and h.partition = c.partition and h.sequence <= s.asset_sequence
      order by h.sequence desc limit 1) h`.execute(tx);
  return new Map(rows.map(({ assetNo, criticality }) => [assetNo, criticality]));
}

/** Of all that amounts follow from. */
function digestOf(assets: readonly HazardousAsset[]): string {
  const given = assets.map(({ id, hazards, range }) => [id, hazards, range]);
  return createHash('sha256').update(JSON.stringify(given)).digest('hex').slice(0, DIGEST_DIGITS);
}

const DIGEST_DIGITS = 32;
