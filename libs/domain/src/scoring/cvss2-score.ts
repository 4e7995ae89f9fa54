/**
 * The equations of "A Complete Guide to the Common Vulnerability Scoring System Version 2.0", section 3.2. Own code,
 * because the available libraries omit the guide's rounding between the equations, and miss its own examples
 * (section 3.3.1: 9.2) by a tenth.
 */

const ACCESS_VECTOR: Weights = { L: 0.395, A: 0.646, N: 1 };
const ACCESS_COMPLEXITY: Weights = { H: 0.35, M: 0.61, L: 0.71 };
const AUTHENTICATION: Weights = { M: 0.45, S: 0.56, N: 0.704 };
const IMPACT: Weights = { N: 0, P: 0.275, C: 0.66 };
const EXPLOITABILITY: Weights = { U: 0.85, POC: 0.9, F: 0.95, H: 1, ND: 1 };
const REMEDIATION_LEVEL: Weights = { OF: 0.87, TF: 0.9, W: 0.95, U: 1, ND: 1 };
const REPORT_CONFIDENCE: Weights = { UC: 0.9, UR: 0.95, C: 1, ND: 1 };
const COLLATERAL_DAMAGE: Weights = { N: 0, L: 0.1, LM: 0.3, MH: 0.4, H: 0.5, ND: 0 };
const TARGET_DISTRIBUTION: Weights = { N: 0, L: 0.25, M: 0.75, H: 1, ND: 1 };
const REQUIREMENT: Weights = { L: 0.5, M: 1, H: 1.51, ND: 1 };

type Weights = Record<string, number>;

/**
 * The environmental score of CVSS 2.0, 0 to 10 with one decimal; metrics that are not given are Not Defined, so that
 * without environmental ones it is the temporal score, and without temporal ones too the base score.
 */
export function cvss2Score(metrics: ReadonlyMap<string, string>): number {
  const weight = (name: string, weights: Weights) => weights[metrics.get(name) ?? 'ND']!;
  const loss = (name: string) => weight(name, IMPACT) * weight(`${name}R`, REQUIREMENT);
  const impact = Math.min(10, 10.41 * (1 - (1 - loss('C')) * (1 - loss('I')) * (1 - loss('A'))));
  const exploitability =
    20 * weight('AV', ACCESS_VECTOR) * weight('AC', ACCESS_COMPLEXITY) * weight('Au', AUTHENTICATION);
  const base = toTenth((0.6 * impact + 0.4 * exploitability - 1.5) * (impact === 0 ? 0 : 1.176));
  const temporal = toTenth(
    base * weight('E', EXPLOITABILITY) * weight('RL', REMEDIATION_LEVEL) * weight('RC', REPORT_CONFIDENCE),
  );
  const withDamage = temporal + (10 - temporal) * weight('CDP', COLLATERAL_DAMAGE);
  return toTenth(withDamage * weight('TD', TARGET_DISTRIBUTION));
}

/** Decimal halves round up, although binary fractions can fall just below them. */
const toTenth = (value: number) => Math.floor(value * 10 + 0.5 + 1e-9) / 10;
