import { t } from '@lingui/core/macro';
import type { Api } from '../api/client.ts';
import { AppLink } from '../app/links.tsx';
import { fixed, number } from '../language/format.ts';
import { Facts } from '../parts/facts.tsx';
import { Instant } from '../parts/instant.tsx';
import { Panel } from '../parts/panel.tsx';
import { levelWord } from '../parts/severity.tsx';
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
    <Panel title={t`Details`}>
      <Facts
        of={[
          [
            t`Asset`,
            <AppLink key="asset" to={`/assets/${finding.assetId}`} inherit underline="always">
              <bdi>{finding.assetName}</bdi>
            </AppLink>,
          ],
          [t`Severity`, fixed(severity.value)],
          [t`Source level`, severity.level && levelWord(severity.level)],
          [t`Base score`, severity.baseScore === null ? null : fixed(severity.baseScore)],
          [t`Scale`, severity.type?.toUpperCase()],
          [
            t`Vector`,
            severity.vector && (
              <span key="vector" className={classes.vector} dir="ltr">
                {severity.vector}
              </span>
            ),
          ],
          [t`Source`, source],
          [t`Control type`, controlType],
          [t`First seen`, <Instant key="first" at={firstSeen} />],
          [t`Failed since`, failedSince && <Instant key="failed" at={failedSince} />],
          [t`Settled`, settledAt && <Instant key="settled" at={settledAt} />],
          [t`Last seen`, lastSeen ? <Instant key="last" at={lastSeen} /> : asOf && t`no past values`],
          [t`Expires`, expiresAt ? <Instant key="expires" at={expiresAt} /> : asOf && t`no past values`],
          [t`Last changed`, <Instant key="updated" at={updatedAt} />],
          [t`Version`, number(version)],
        ]}
      />
    </Panel>
  );
}
