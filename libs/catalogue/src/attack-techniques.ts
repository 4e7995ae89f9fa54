import { readFileSync } from 'node:fs';
import { projectFile } from '#libs/project-files';

/** The matrices of MITRE ATT&CK. */
export const ATTACK_DOMAINS = ['enterprise', 'mobile', 'ics'] as const;
export type AttackDomain = (typeof ATTACK_DOMAINS)[number];

/** A technique of MITRE ATT&CK. */
export interface AttackTechnique {
  /** `T1059` or `T1059.001`. */
  id: string;
  name: string;
  domain: AttackDomain;
  tactics: string[];
  /** Replaced by another one, or withdrawn: does not count for scoring. */
  revoked: boolean;
  /** No longer maintained; still counts. */
  deprecated: boolean;
}

const dataUrl = projectFile('libs/catalogue/data/');

/** The version of each matrix that is shipped (`data/NOTICE`). */
export const ATTACK_VERSIONS: Readonly<Record<AttackDomain, string>> = {
  enterprise: '18.1',
  mobile: '15',
  ics: '18.1',
};

/** The file of each matrix. */
const FILES: Record<AttackDomain, string> = {
  enterprise: 'attack-techniques.json',
  mobile: 'attack-techniques-mobile.json',
  ics: 'attack-techniques-ics.json',
};

const techniques = new Map(
  ATTACK_DOMAINS.flatMap(readTechniques).map((technique) => [technique.id, technique]),
);

function readTechniques(domain: AttackDomain): AttackTechnique[] {
  const rows: (Omit<AttackTechnique, 'domain' | 'revoked' | 'deprecated'> & Partial<AttackTechnique>)[] =
    JSON.parse(readFileSync(new URL(FILES[domain], dataUrl), 'utf8'));
  return rows.map((row) => ({
    ...row,
    domain,
    revoked: row.revoked ?? false,
    deprecated: row.deprecated ?? false,
  }));
}

/** The technique of an id in capitals; undefined if the shipped catalogue has none. */
export const attackTechnique = (id: string): AttackTechnique | undefined => techniques.get(id);

/** All techniques that are shipped, matrix by matrix. */
export const attackTechniques = (): AttackTechnique[] => [...techniques.values()];
