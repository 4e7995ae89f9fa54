import { Module } from '@nestjs/common';
import { AssetsModule } from '../assets/assets.module.ts';
import { FindingsModule } from '../findings/findings.module.ts';
import { ActiveFindingsRepository } from './active-findings.repository.ts';
import { AssetRanking } from './asset-ranking.service.ts';
import { AssetScoreController } from './asset-score.controller.ts';
import { AssetScores } from './asset-score.service.ts';
import { ExplainController } from './explain.controller.ts';
import { ExplainRepository } from './explain.repository.ts';
import { Explanations } from './explain.service.ts';
import { FixesController } from './fixes.controller.ts';
import { FixesRepository } from './fixes.repository.ts';
import { Fixes } from './fixes.service.ts';
import { RankedAssetsRepository } from './ranked-assets.repository.ts';
import { RiskSumsRepository } from './risk-sums.repository.ts';
import { ScoreHistoryRepository } from './score-history.repository.ts';
import { ScoreHistory } from './score-history.service.ts';
import { ScoreSlots } from './score-slots.ts';
import { ScoredInstants } from './scored-at.ts';
import { ScoresController } from './scores.controller.ts';
import { Scores } from './scores.service.ts';
import { ScoringChoices } from './scoring-choices.ts';
import { WhatIfController } from './what-if.controller.ts';
import { WhatIfRepository } from './what-if.repository.ts';
import { WhatIfs } from './what-if.service.ts';

@Module({
  imports: [AssetsModule, FindingsModule],
  controllers: [AssetScoreController, ExplainController, WhatIfController, FixesController, ScoresController],
  providers: [
    ActiveFindingsRepository,
    AssetScores,
    ExplainRepository,
    Explanations,
    WhatIfRepository,
    WhatIfs,
    FixesRepository,
    Fixes,
    ScoreSlots,
    AssetRanking,
    RankedAssetsRepository,
    RiskSumsRepository,
    ScoredInstants,
    ScoreHistory,
    ScoreHistoryRepository,
    Scores,
    ScoringChoices,
  ],
  exports: [Explanations, Fixes, ScoreHistory, Scores, ScoreSlots, WhatIfRepository, WhatIfs],
})
export class ScoresModule {}
