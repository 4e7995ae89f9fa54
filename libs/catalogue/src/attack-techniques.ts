import { readFileSync } from 'node:fs';

/** A technique of MITRE ATT&CK for enterprise (D24). */
export interface AttackTechnique {
  /** `T1059` or `T1059.001`. */
  id: string;
  name: string;
  tactics: string[];
  /** Replaced by another one, or withdrawn: does not count for scoring (D22). */
  revoked: boolean;
  /** No longer maintained; still counts. */
  deprecated: boolean;
}

const dataUrl = new URL(
  import.meta.url.includes('/dist/') ? '../../../../libs/catalogue/data/' : '../data/',
  import.meta.url,
);

const techniques = new Map(readTechniques().map((technique) => [technique.id, technique]));

function readTechniques(): AttackTechnique[] {
  const rows: (Omit<AttackTechnique, 'revoked' | 'deprecated'> & Partial<AttackTechnique>)[] = JSON.parse(
    readFileSync(new URL('attack-techniques.json', dataUrl), 'utf8'),
  );
  return rows.map((row) => ({ ...row, revoked: row.revoked ?? false, deprecated: row.deprecated ?? false }));
}

/** The technique of an id in capitals; undefined where the shipped catalogue has none. */
export const attackTechnique = (id: string): AttackTechnique | undefined => techniques.get(id);

/** Exists and is not revoked (D22). */
export const isCountedTechnique = (id: string): boolean => techniques.get(id)?.revoked === false;
