/** Answers a technique by its id; undefined where the catalogue has none. */
export type TechniqueLookup = (id: string) => { revoked?: boolean } | undefined;

/** What the CVE's publisher says of it; undefined where nothing is known, which is valid (D24). */
export type CveStateLookup = (id: string) => string | undefined;

/** What a finding maps to. */
export interface Mappings {
  /** Canonical CVE ids. */
  cves: readonly string[];
  /** ATT&CK technique ids, and vendors' own. */
  techniques: readonly string[];
}

const WELL_FORMED_CVE = /^CVE-\d{4}-\d{4,}$/;
const INVALID_CVE_STATES = new Set(['reserved', 'disputed', 'rejected']);

/**
 * Those of a finding's mappings that count for scoring: well-formed CVEs that are not Reserved, Disputed or Rejected,
 * and ATT&CK techniques that exist and are not revoked (D22). Without repeats, sorted.
 */
export function validMappings(
  { cves, techniques }: Mappings,
  techniqueOf: TechniqueLookup,
  cveStateOf: CveStateLookup,
): { cves: string[]; techniques: string[] } {
  const isValidCve = (id: string) =>
    WELL_FORMED_CVE.test(id) && !INVALID_CVE_STATES.has(cveStateOf(id)?.toLowerCase() ?? '');
  const isValidTechnique = (id: string) => {
    const technique = techniqueOf(id);
    return technique !== undefined && !technique.revoked;
  };
  return {
    cves: [...new Set(cves.filter(isValidCve))].sort(),
    techniques: [...new Set(techniques.filter(isValidTechnique))].sort(),
  };
}
