import { Inject, Injectable, NotFoundException } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { catalogueName, readCatalogues } from '#libs/catalogue-store';
import { CLOCK, type Clock } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import { scoreAsset } from '#libs/domain';
import { AssetsRepository } from '../assets/assets.repository.ts';
import { AssetsAsOfRepository } from '../assets/assets-as-of.repository.ts';
import { type AsOfQuery, pastInstant } from '../paging/as-of.ts';
import { ActiveFindingsRepository } from './active-findings.repository.ts';
import type { AssetScoreDto } from './asset-score.dto.ts';

/** Scores an asset from its findings when it is asked for, with the catalogues of then: exact at every instant (D23, D24). */
@Injectable()
export class AssetScores {
  constructor(
    private readonly assets: AssetsRepository,
    private readonly assetsAsOf: AssetsAsOfRepository,
    private readonly findings: ActiveFindingsRepository,
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws NotFoundException; also where there was no such asset yet at `asOf` */
  async score(id: string, { asOf }: AsOfQuery): Promise<AssetScoreDto> {
    const now = this.clock();
    const past = pastInstant(asOf, now);
    const row = past === null ? await this.assets.find(id) : await this.assetsAsOf.find(id, past);
    if (!row) throw new NotFoundException(`no asset ${past === null ? 'has' : 'had'} the id ${id}`);
    const findings =
      past === null ? await this.findings.present(row.assetNo, now) : await this.findings.past(id, past);
    const at = past ?? now;
    const cves = new Set(findings.flatMap((finding) => finding.cves));
    const catalogues = await readCatalogues(this.db, cves, at);
    return {
      ...scoreAsset({ asset: row.asset, findings }, catalogues.at(at), at),
      catalogue: await catalogueName(this.db, at),
      at: new Date(at).toISOString(),
    };
  }
}
