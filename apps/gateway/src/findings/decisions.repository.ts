import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import type { CatalogueAt } from '#libs/catalogue-store';
import { DATABASE, type Schema } from '#libs/database';
import { NEVER_ENDS, OPEN_STATES, posture2 } from '#libs/domain';
import { readAssets } from '#libs/scores';
import type { SeenFinding } from '#libs/views';
import type { SsvcDto } from './finding.dto.ts';
import type { FindingNumbers } from './read-history.ts';

interface Row extends FindingNumbers {
  seen: SeenFinding;
}

/** An SSVC decision, and whether KEV lists a valid CVE of the failing instances. */
export interface DecisionRead {
  ssvc: SsvcDto;
  isKnownExploited: boolean;
}

/** The SSVC decisions on findings. */
@Injectable()
export class DecisionsRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /**
   * Those on the findings of a page, by id of the finding: the stored ones, or as of a past instant (epoch ms) the
   * computed ones. Findings without a decision are missing. Only `shownDecision` of a finding is returned to users.
   * @param catalogue as of the same instant
   */
  async of(
    rows: readonly Row[],
    past: number | null,
    catalogue: CatalogueAt,
  ): Promise<Map<string, DecisionRead>> {
    const open = rows.filter(({ seen }) => OPEN_STATES.includes(seen.state));
    if (open.length === 0) return new Map();
    return past === null ? this.stored(open) : this.computed(open, past, catalogue);
  }

  private async stored(rows: readonly Row[]): Promise<Map<string, DecisionRead>> {
    const { rows: stored } = await sql<SsvcDto & Omit<DecisionRead, 'ssvc'> & { index: number }>`
      select t.index::integer - 1 as index, d.decision, d.exploitation, d.automatable,
             d.technical_impact as "technicalImpact", d.mission as "missionImpact", d.cve,
             d.kev_added is not null as "isKnownExploited"
      from unnest(
        ${rows.map(({ assetNo }) => assetNo)}::bigint[], ${rows.map(({ findingNo }) => findingNo)}::integer[]
      ) with ordinality t (asset_no, finding_no, index)
      join finding_decisions d using (asset_no, finding_no)`.execute(this.db);
    return new Map(
      stored.map(({ index, isKnownExploited, ...ssvc }) => [
        rows[index]!.seen.finding.id,
        { ssvc, isKnownExploited },
      ]),
    );
  }

  private async computed(
    rows: readonly Row[],
    at: number,
    catalogue: CatalogueAt,
  ): Promise<Map<string, DecisionRead>> {
    const assetNos = [...new Set(rows.map(({ assetNo }) => assetNo))];
    const assets = await readAssets(this.db, assetNos, {}, { at, isPast: true });
    const assetOf = new Map(assets.map(({ assetNo, asset }) => [assetNo, asset]));
    return new Map(
      rows.flatMap(({ assetNo, seen: { finding } }) => {
        const facts = posture2.assessedFindingOf(finding, NEVER_ENDS);
        const asset = assetOf.get(assetNo);
        const decision = asset && posture2.findingDecision(facts, asset, catalogue, at);
        return decision ? [[finding.id, readOf(decision)] as const] : [];
      }),
    );
  }
}

/** That of a Not Assessed finding only gives its due date (R-SCORE-14). */
export const shownDecision = ({ state }: SeenFinding, read: DecisionRead | null): SsvcDto | null =>
  state === 'Failed' && read ? read.ssvc : null;

const readOf = ({
  decision,
  exploitation,
  automatable,
  technicalImpact,
  mission,
  cve,
  kev,
}: posture2.FindingDecision): DecisionRead => ({
  ssvc: { decision, exploitation, automatable, technicalImpact, missionImpact: mission, cve },
  isKnownExploited: kev !== null,
});
