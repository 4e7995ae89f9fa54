/** A row of the table: severities from `from` on, up to the next row's. */
export interface SeverityRow {
  /** Name of the CVSS qualitative rating. */
  rating: string;
  from: number;
  /** Probability of exploitation within 30 days. */
  probability: number;
}

/**
 * Probability of exploitation within 30 days by severity only, by the qualitative ratings of CVSS 3.1 (section 5); all of
 * it below 0.1 (R-SCORE-4). docs/scoring.md gives the reasons.
 */
export const SEVERITY_TABLE: readonly SeverityRow[] = [
  { rating: 'none', from: 0, probability: 0.001 },
  { rating: 'low', from: 0.1, probability: 0.01 },
  { rating: 'medium', from: 4, probability: 0.03 },
  { rating: 'high', from: 7, probability: 0.07 },
  { rating: 'critical', from: 9, probability: 0.09 },
];

/** The row of a severity, 0 to 10. */
export const severityRow = (severity: number): SeverityRow =>
  SEVERITY_TABLE.findLast(({ from }) => severity >= from) ?? SEVERITY_TABLE[0]!;
