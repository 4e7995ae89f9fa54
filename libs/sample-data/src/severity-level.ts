/** CVSS 3.1 §5, qualitative scale; without `none`, which no finding has. */
export function severityLevel(score: number): 'low' | 'medium' | 'high' | 'critical' {
  if (score >= 9) return 'critical';
  if (score >= 7) return 'high';
  return score >= 4 ? 'medium' : 'low';
}
