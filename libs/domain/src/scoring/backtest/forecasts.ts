import { riskFrom } from '../asset-score.ts';
import { likelihoodOf } from '../hazard.ts';
import { riskOfSums } from '../posture2/asset-risk.ts';
import { assetThreats } from '../posture2/asset-threats.ts';
import type { AssessedFinding, ThreatCatalogue, ThreatenedSubject } from '../posture2/facts.ts';
import { fromBillionths } from '../posture2/likelihood.ts';
import { riskSumsOf } from '../posture2/risk-sums.ts';
import { DEFAULT_TARGETING } from '../posture2/targeting.ts';
import { isActive } from '../scoring-facts.ts';
import { totalHazard, type Weaknesses, weaknessesOf } from '../weaknesses.ts';

/** The models, and what a ranking without a model would use. */
export const FORECASTERS = ['posture-2', 'posture-1', 'epss', 'cvss', 'kev'] as const;
export type Forecaster = (typeof FORECASTERS)[number];

/**
 * What each forecaster says; greater is more likely. CVSS: the greatest severity as sent, 0 to 10. KEV: how many CVEs
 * are listed. The others: a likelihood within 30 days, 0 to 1.
 */
export type Forecasts = Record<Forecaster, number>;

/** A severity and a list state no likelihood: they only rank. */
export const statesLikelihood = (forecaster: Forecaster): boolean =>
  forecaster !== 'cvss' && forecaster !== 'kev';

export interface SubjectForecasts {
  /** Null if no active finding has a valid mapping: the models state no score (R-SCORE-2). */
  asset: Forecasts | null;
  /** Of each valid CVE of counted findings, once (R-SCORE-5). */
  cves: Map<string, Forecasts>;
}

/** What is said of an asset and of its CVEs at an instant (epoch ms), by the catalogues of that instant and the default rates. */
export function forecastsOf(
  subject: ThreatenedSubject,
  catalogue: ThreatCatalogue,
  at: number,
): SubjectForecasts {
  const found = weaknessesOf(subject, catalogue, at);
  if (!found.isScored) return { asset: null, cves: new Map() };
  const threats = assetThreats(subject, catalogue, at, DEFAULT_TARGETING);
  // A CVE of passing instances only is no weakness of posture-2.
  const hazardOf = (cve: string) => threats.weaknesses.get(cve)?.hazard ?? 0;
  const cves = cveForecasts(found, (cve) => likelihoodOf(hazardOf(cve)), catalogue);
  const { likelihoods } = riskOfSums(riskSumsOf(threats), true, subject.asset, DEFAULT_TARGETING);
  return {
    asset: {
      'posture-2': fromBillionths(likelihoods!.whole.best),
      'posture-1': riskFrom(totalHazard(found), subject.asset).breachLikelihood!,
      ...withoutModel(found, cves),
    },
    cves,
  };
}

function cveForecasts(
  { weaknesses }: Weaknesses,
  likelihoodOfCve: (cve: string) => number,
  { epssOf, kevOf }: Pick<ThreatCatalogue, 'epssOf' | 'kevOf'>,
): SubjectForecasts['cves'] {
  const forecasts: SubjectForecasts['cves'] = new Map();
  for (const { exposures } of weaknesses.values()) {
    const { cve, exploit } = exposures[0];
    if (cve === null) continue;
    forecasts.set(cve, {
      'posture-2': likelihoodOfCve(cve),
      'posture-1': exploit.probability,
      epss: epssOf(cve)?.probability ?? 0,
      cvss: greatestSeverity(exposures),
      kev: kevOf(cve) ? 1 : 0,
    });
  }
  return forecasts;
}

const greatestSeverity = (exposures: readonly { finding: { severity: { value: number } } }[]): number =>
  exposures.reduce((greatest, { finding }) => Math.max(greatest, finding.severity.value), 0);

/** EPSS: that at least one of the CVEs is exploited, as FIRST advises to combine forecasts. */
function withoutModel(
  { weaknesses }: Weaknesses,
  cves: SubjectForecasts['cves'],
): Pick<Forecasts, 'epss' | 'cvss' | 'kev'> {
  const spared = [...cves.values()].reduce((sum, { epss }) => sum + Math.log1p(-epss), 0);
  return {
    epss: 0 - Math.expm1(spared),
    cvss: Math.max(0, ...[...weaknesses.values()].map(({ exposures }) => greatestSeverity(exposures))),
    kev: [...cves.values()].reduce((listed, { kev }) => listed + kev, 0),
  };
}

/** Some active detection is new, in progress, reopened, or confirmed and not closed. */
export const hasOpenDetection = (findings: readonly AssessedFinding[], at: number): boolean =>
  findings.some(
    (finding) =>
      finding.type === 'edr' &&
      isActive(finding, at) &&
      finding.detections.some(({ state }) => state === 'unreviewed' || state === 'confirmed'),
  );
