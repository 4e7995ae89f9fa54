/** @param severity 1 to 100 */
export function severityName(severity: number): string {
  if (severity >= 80) return 'Critical';
  if (severity >= 60) return 'High';
  if (severity >= 40) return 'Medium';
  return severity >= 20 ? 'Low' : 'Informational';
}
