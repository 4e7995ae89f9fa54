import { Inject, Injectable, NotFoundException } from '@nestjs/common';
import { attackTechnique } from '#libs/catalogue';
import { CLOCK, type Clock } from '#libs/config';
import { type ScoringCatalogue, scoreAsset } from '#libs/domain';
import { AssetsRepository } from '../assets/assets.repository.ts';
import { AssetsAsOfRepository } from '../assets/assets-as-of.repository.ts';
import { type AsOfQuery, pastInstant } from '../paging/as-of.ts';
import { ActiveFindingsRepository } from './active-findings.repository.ts';
import type { AssetScoreDto } from './asset-score.dto.ts';

/** The techniques come with the service; of CVEs nothing is known that their severity does not say. */
const CATALOGUE: ScoringCatalogue = {
  techniqueOf: attackTechnique,
  cveStateOf: () => undefined,
  epssOf: () => undefined,
  kevOf: () => undefined,
};
const CATALOGUE_NAME = 'attack';

/** Scores an asset from its findings when it is asked for: exact at every instant, and a function of the log (D23). */
@Injectable()
export class AssetScores {
  constructor(
    private readonly assets: AssetsRepository,
    private readonly assetsAsOf: AssetsAsOfRepository,
    private readonly findings: ActiveFindingsRepository,
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
    return {
      ...scoreAsset({ asset: row.asset, findings }, CATALOGUE, at),
      catalogue: CATALOGUE_NAME,
      at: new Date(at).toISOString(),
    };
  }
}
