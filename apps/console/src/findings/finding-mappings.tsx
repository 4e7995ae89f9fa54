import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text, Title } from '@mantine/core';
import type { Api } from '../api/client.ts';
import { AppLink } from '../app/links.tsx';
import { list } from '../language/format.ts';
import { Panel } from '../parts/panel.tsx';
import { probabilityText } from '../parts/score.tsx';
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
            CVE
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
            MITRE ATT&CK
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
    epss && epssText(epss),
    state && state !== 'PUBLISHED' && stateText(state),
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

function epssText({ probability, date }: NonNullable<Api['MappedCveDto']['epss']>): string {
  const likelihood = probabilityText(probability);
  return t`Exploitation within 30 days: ${likelihood} probability (EPSS, ${date})`;
}

/** The states of the CVE List. */
function stateText(state: string): string {
  if (state === 'REJECTED') return t`The CVE is rejected`;
  if (state === 'RESERVED') return t`The CVE is reserved`;
  if (state === 'DISPUTED') return t`The CVE is disputed`;
  const other = state.toLowerCase();
  return t`The CVE is ${other}`;
}

function Technique({ technique: { id, name, tactics, revoked } }: { technique: Api['MappedTechniqueDto'] }) {
  return (
    <li className={classes.mapping}>
      <AppLink to={`/findings?technique=${encodeURIComponent(id)}`} inherit underline="always">
        {id}
      </AppLink>{' '}
      <bdi>{name ?? t`not in ATT&CK`}</bdi>
      <Text size="xs" c="dimmed">
        {[list(tactics.map(tacticName), 'unit'), revoked && t`revoked, excluded from scoring`]
          .filter(Boolean)
          .join(' · ')}
      </Text>
    </li>
  );
}

/** `credential-access` → `Credential access`. */
const tacticName = (tactic: string): string =>
  tactic.charAt(0).toUpperCase() + tactic.slice(1).replaceAll('-', ' ');
