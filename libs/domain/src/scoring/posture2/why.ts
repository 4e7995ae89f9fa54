import { likelihoodOf } from '../hazard.ts';
import { AGE_FACTORS, weeksSince } from './evidence.ts';
import type { DetectionFacts } from './facts.ts';
import { EDR_FACTORS } from './susceptibility.ts';
import type { Evidence, Weakness } from './weakness.ts';

/**
 * Why a weakness has its hazard, in words, with all inputs besides the incident rates, which are those of the organization.
 * @param carrier of the weakness, if it is another finding
 * @param impactMax the greatest impact of all findings with the weakness, which counts
 */
export function whyWeakness(
  weakness: Weakness,
  { carrier, impactMax, isEdrManaged }: { carrier: string | null; impactMax: number; isEdrManaged: boolean },
): string {
  const { cve, techniques, base, reachRow, reach, controlFactor, impact } = weakness;
  const what = cve ?? `ATT&CK ${techniques.join(', ')}`;
  const edr = isEdrManaged ? `, EDR ${thousandth(EDR_FACTORS.managed)}` : '';
  const counted =
    carrier === null && impactMax > impact
      ? `${impactMax} of 100, that of another finding with the CVE (its own is ${impact})`
      : `${impact} of 100`;
  const elsewhere = carrier === null ? '' : ` Counted once on this asset, with finding ${carrier}.`;
  return (
    `${what}: ${base.probability} worldwide within 30 days (${whyBase(weakness)}); ` +
    `reach ${thousandth(reach)} (${reachRow}), controls ${thousandth(controlFactor)} for ${techniques.join(', ')}${edr}, ` +
    `impact ${counted}; ${percent(weakness.hazard)} on this asset.${elsewhere}`
  );
}

function whyBase({ cve, vector, failure: { severity }, base: { epss, kev } }: Weakness): string {
  const known = [
    ...(epss ? [`EPSS of ${epss.date} is ${epss.probability}`] : []),
    ...(kev ? [`in KEV since ${kev.dateAdded}${kev.isUsedByRansomware ? ', used by ransomware' : ''}`] : []),
  ];
  if (known.length > 0) return known.join(', ');
  const unknown = cve === null ? 'no forecast for techniques' : 'neither EPSS nor KEV';
  if (cve !== null && vector) {
    const obstacles = vector.obstacles === 1 ? '1 obstacle' : `${vector.obstacles} obstacles`;
    return `${unknown}, ${obstacles} in the CVSS vector`;
  }
  const malformed = severity.vector !== null && !vector ? ', malformed CVSS vector' : '';
  return `${unknown}, severity ${severity.value}${malformed}`;
}

/** Why a detection has its hazard, in words with all inputs. @param at epoch ms */
export function whyEvidence({ finding, techniques, tacticWeight, hazard }: Evidence, at: number): string {
  const detections = [...new Set(finding.detections.map((one) => detectionInWords(one, at)))].sort();
  return (
    `Detection (${detections.join(', ') || 'unreviewed'}) of ATT&CK ${techniques.join(', ')}, ` +
    `tactic weight ${thousandth(tacticWeight)}: ` +
    `${percent(hazard.best)} within 30 days (${percent(hazard.low)} to ${percent(hazard.high)}).`
  );
}

function detectionInWords({ state, closedAt }: DetectionFacts, at: number): string {
  const weeks = closedAt === null ? 0 : weeksSince(closedAt, at);
  if (weeks === 0) return state;
  if (weeks >= AGE_FACTORS.length) return `${state} ${AGE_FACTORS.length} or more weeks ago`;
  return `${state} ${weeks} week${weeks === 1 ? '' : 's'} ago`;
}

const thousandth = (factor: number) => String(factor / 1_000);
const percent = (hazard: number) => `${(100 * likelihoodOf(hazard)).toPrecision(3)} %`;
