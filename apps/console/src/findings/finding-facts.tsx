import type { Api } from '../api/client.ts';
import { AppLink } from '../app/links.tsx';
import { Facts } from '../parts/facts.tsx';
import { Instant } from '../parts/instant.tsx';
import { Panel } from '../parts/panel.tsx';
import { useAsOf } from '../time/as-of.ts';
import classes from './finding.module.css';

/** Severity, source and times of a finding. */
export function FindingFacts({ finding }: { finding: Api['FindingDto'] }) {
  const {
    severity,
    source,
    controlType,
    firstSeen,
    lastSeen,
    expiresAt,
    updatedAt,
    version,
    failedSince,
    settledAt,
  } = finding;
  const { asOf } = useAsOf();
  return (
    <Panel title="Details">
      <Facts
        of={[
          [
            'Asset',
            <AppLink key="asset" to={`/assets/${finding.assetId}`} inherit underline="always">
              {finding.assetName}
            </AppLink>,
          ],
          ['Severity', severity.value.toFixed(1)],
          ['Source level', severity.level],
          ['Base score', severity.baseScore?.toFixed(1)],
          ['Scale', severity.type?.toUpperCase()],
          [
            'Vector',
            severity.vector && (
              <span key="vector" className={classes.vector}>
                {severity.vector}
              </span>
            ),
          ],
          ['Source', source],
          ['Control type', controlType],
          ['First seen', <Instant key="first" at={firstSeen} />],
          ['Failed since', failedSince && <Instant key="failed" at={failedSince} />],
          ['Settled', settledAt && <Instant key="settled" at={settledAt} />],
          ['Last seen', lastSeen ? <Instant key="last" at={lastSeen} /> : asOf && 'no past values'],
          ['Expires', expiresAt ? <Instant key="expires" at={expiresAt} /> : asOf && 'no past values'],
          ['Last changed', <Instant key="updated" at={updatedAt} />],
          ['Version', version.toLocaleString()],
        ]}
      />
    </Panel>
  );
}
