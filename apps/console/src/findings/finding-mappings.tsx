import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text, Title } from '@mantine/core';
import type { Api } from '../api/client.ts';
import { AppLink } from '../app/links.tsx';
import { Panel } from '../parts/panel.tsx';
import { percent } from '../parts/score.tsx';
import classes from './finding.module.css';

/** CVEs and ATT&CK techniques of a finding, with catalogue data. */
export function FindingMappings({ mappings: { cves, techniques } }: { mappings: Api['FindingMappingsDto'] }) {
  return (
    <Panel title={t`CVEs and techniques`}>
      {cves.length + techniques.length === 0 && (
        <Text size="sm" c="dimmed">
          <Trans>The finding has no CVE and no ATT&CK technique, so it is not scored.</Trans>
        </Text>
      )}
      {cves.length > 0 && (
        <>
          <Title order={3} size="h6">
            <Trans>CVE</Trans>
          </Title>
          <ul className={classes.plain}>
            {cves.map((cve) => (
              <Cve key={cve.id} cve={cve} />
            ))}
          </ul>
        </>
      )}
      {techniques.length > 0 && (
        <>
          <Title order={3} size="h6" mt={cves.length > 0 ? 'md' : 0}>
            <Trans>MITRE ATT&CK</Trans>
          </Title>
          <ul className={classes.plain}>
            {techniques.map((technique) => (
              <Technique key={technique.id} technique={technique} />
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
}

function Cve({ cve: { id, state, epss, knownExploitedSince } }: { cve: Api['MappedCveDto'] }) {
  const said = [
    knownExploitedSince && t`Known exploited since ${knownExploitedSince}`,
    epss && t`Exploitation within 30 days: ${percent(epss.probability)} probability (EPSS, ${epss.date})`,
    state && state !== 'PUBLISHED' && t`The CVE is ${state.toLowerCase()}`,
  ].filter((text): text is string => Boolean(text));
  return (
    <li className={classes.mapping}>
      <AppLink to={`/findings?cve=${encodeURIComponent(id)}`} inherit underline="always">
        {id}
      </AppLink>
      {said.length === 0 ? (
        <Text size="xs" c="dimmed">
          <Trans>No exploitation data in the imported catalogues.</Trans>
        </Text>
      ) : (
        said.map((text) => (
          <Text key={text} size="xs">
            {text}
          </Text>
        ))
      )}
    </li>
  );
}

function Technique({ technique: { id, name, tactics, revoked } }: { technique: Api['MappedTechniqueDto'] }) {
  return (
    <li className={classes.mapping}>
      <AppLink to={`/findings?technique=${encodeURIComponent(id)}`} inherit underline="always">
        {id}
      </AppLink>{' '}
      {name ?? t`not in ATT&CK`}
      <Text size="xs" c="dimmed">
        {[tactics.map(tacticName).join(', '), revoked && t`revoked, excluded from scoring`]
          .filter(Boolean)
          .join(' · ')}
      </Text>
    </li>
  );
}

/** `credential-access` → `Credential access`. */
const tacticName = (tactic: string): string =>
  tactic.charAt(0).toUpperCase() + tactic.slice(1).replaceAll('-', ' ');
