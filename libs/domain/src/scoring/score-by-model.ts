import { type AssetScore, scoreAsset } from './asset-score.ts';
import { type AssetScore as AssetScore2, scoreAsset as scoreAsset2 } from './posture2/asset-score.ts';
import type { ThreatCatalogue, ThreatenedSubject } from './posture2/facts.ts';
import type { Targeting } from './posture2/targeting.ts';
import type { ScoringModel } from './scoring-model.ts';

/**
 * The score of an asset by the selected model. A subject of posture-2 is one of posture-1 too, so the same asset can be
 * scored by both; posture-1 has no targeting.
 */
export const scoreByModel = (
  model: ScoringModel,
  subject: ThreatenedSubject,
  catalogue: ThreatCatalogue,
  at: number,
  targeting?: Targeting,
): AssetScore | AssetScore2 =>
  model === 'posture-1' ? scoreAsset(subject, catalogue, at) : scoreAsset2(subject, catalogue, at, targeting);
