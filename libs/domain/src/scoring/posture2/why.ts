import { likelihoodOf } from '../hazard.ts';
import type { Evidence, Weakness } from './weakness.ts';

/** Why a weakness has its hazard, in words with all inputs. @param carrier of the weakness, if it is another finding */
export function whyWeakness(weakness: Weakness, carrier: string | null): string {
  const { cve, techniques, base, reachRow, reach, controlFactor, impact } = weakness;
  const what = cve ?? `ATT&CK ${techniques.join(', ')}`;
  const elsewhere = carrier === null ? '' : ` Counted once on this asset, with finding ${carrier}.`;
  return (
    `${what}: ${base.probability} worldwide within 30 days (${whyBase(weakness)}); ` +
    `reach ${thousandth(reach)} (${reachRow}), controls ${thousandth(controlFactor)} for ${techniques.join(', ')}, ` +
    `impact ${impact} of 100; ${percent(weakness.hazard)} on this asset.${elsewhere}`
  );
}

function whyBase({ cve, vector, finding, base: { epss, kev } }: Weakness): string {
  const known = [
    ...(epss ? [`EPSS of ${epss.date} is ${epss.probability}`] : []),
    ...(kev ? [`in KEV since ${kev.dateAdded}${kev.isUsedByRansomware ? ', used by ransomware' : ''}`] : []),
  ];
  if (known.length > 0) return known.join(', ');
  const unknown = cve === null ? 'no forecast for techniques' : 'neither EPSS nor KEV';
  if (cve !== null && vector) return `${unknown}, ${vector.obstacles} obstacles in the CVSS vector`;
  const malformed = finding.severity.vector !== null && !vector ? ', malformed CVSS vector' : '';
  return `${unknown}, severity ${finding.severity.value}${malformed}`;
}

export function whyEvidence({ finding, techniques, hazard }: Evidence): string {
  const states = [...new Set(finding.detections.map(({ state }) => state))].sort();
  return (
    `Detection (${states.join(', ') || 'unreviewed'}) of ATT&CK ${techniques.join(', ')}: ` +
    `${percent(hazard.best)} within 30 days (${percent(hazard.low)} to ${percent(hazard.high)}).`
  );
}

const thousandth = (factor: number) => String(factor / 1_000);
const percent = (hazard: number) => `${(100 * likelihoodOf(hazard)).toPrecision(3)} %`;
