import type { ReactNode } from 'react';
import type { Api } from '../api/client.ts';
import { CellLink } from '../app/links.tsx';
import { Severity } from '../parts/severity.tsx';
import classes from './finding-lines.module.css';

export type Finding = Api['FindingItemDto'];

/** Findings, one a line: severity, name and asset. @param side what is shown at the end of the line */
export function FindingLines({
  label,
  of: findings,
  side,
}: {
  label: string;
  of: readonly Finding[];
  side: (finding: Finding) => ReactNode;
}) {
  return (
    <ul className={classes.list} aria-label={label}>
      {findings.map((finding) => (
        <li key={finding.id} className={classes.item}>
          <Severity value={finding.severity.value} />
          <span className={classes.name} title={finding.name}>
            <CellLink to={`/findings/${finding.id}`}>{finding.name}</CellLink>
          </span>
          <span className={classes.side}>{side(finding)}</span>
          <span className={classes.asset} title={finding.assetName}>
            {finding.assetName}
          </span>
        </li>
      ))}
    </ul>
  );
}
