import { attackTechnique } from '#libs/catalogue';
import { MODEL_OF_NEW_LOGS, type PlanPromise, posture2 } from '#libs/domain';
import type { PastLog } from './past-log.ts';

/** What a new site knows of techniques and CVEs: the list that is shipped. */
const CATALOGUE: posture2.ThreatCatalogue = {
  techniqueOf: attackTechnique,
  cveStateOf: () => undefined,
  epssOf: () => undefined,
  kevOf: () => undefined,
};

const TARGETING = posture2.targetingOf(posture2.DEFAULT_INCIDENT_RATES);

/** The score of the organization at an instant (epoch ms), and what it would be with these findings fixed. */
export function promiseOf(log: PastLog, findingIds: readonly string[], at: number): PlanPromise {
  const fixed = new Set(findingIds);
  let [before, after] = [posture2.EMPTY_GROUP_SUMS, posture2.EMPTY_GROUP_SUMS];
  for (const subject of subjectsOf(log)) {
    const sums = sumsOf(subject, at);
    const isFixed = subject.findings.some(({ id }) => fixed.has(id));
    const then = isFixed ? sumsOf(posture2.applyWhatIf(subject, { fixed }, CATALOGUE, at), at) : sums;
    before = posture2.addGroupSums(before, sums);
    after = posture2.addGroupSums(after, then);
  }
  const [now, then] = [posture2.groupRisk(before, TARGETING), posture2.groupRisk(after, TARGETING)];
  return {
    model: MODEL_OF_NEW_LOGS,
    score: now.score,
    scoreAfter: then.score,
    breachLikelihood: bestOf(now),
    breachLikelihoodAfter: bestOf(then),
  };
}

const bestOf = ({ likelihoods }: posture2.GroupRisk): number | null =>
  likelihoods && posture2.fromBillionths(likelihoods.whole.best);

/** As a scorer reads them for posture-2: active findings, and retired controls, that name a CVE or a technique. */
const subjectsOf = (log: PastLog): posture2.ThreatenedSubject[] =>
  log.assets().map(({ asset, findings }) => ({
    asset: posture2.threatenedAssetOf(asset),
    findings: findings
      .filter(({ finding: { state, type } }) => state !== 'Retired' || type === 'ca' || type === 'uba')
      .map(({ finding, seen }) => posture2.assessedFindingOf(finding, seen, log.pastOf(finding)))
      .filter(({ cves, techniques }) => cves.length + techniques.length > 0),
  }));

const sumsOf = (subject: posture2.ThreatenedSubject, at: number): posture2.GroupSums =>
  posture2.groupSumsOf(
    posture2.assetRisk(posture2.assetThreats(subject, CATALOGUE, at, TARGETING), subject.asset, TARGETING),
  );
