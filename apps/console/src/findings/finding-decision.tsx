import { t } from '@lingui/core/macro';
import { Group, Text } from '@mantine/core';
import type { Api } from '../api/client.ts';
import { advice, Decision } from '../parts/decision.tsx';
import { Facts } from '../parts/facts.tsx';
import { Panel } from '../parts/panel.tsx';
import { levelNames } from '../parts/severity.tsx';

const exploitations = (): Record<Api['SsvcDto']['exploitation'], string> => ({
  active: t({ message: 'Active', context: 'exploitation' }),
  poc: t`Public exploit code, stated by the vector or assumed from EPSS`,
  none: t`None known`,
});

/** The SSVC decision on a finding with its inputs, and the entry of KEV, which can be of another CVE. */
export function FindingDecision({ ssvc, kev }: { ssvc: Api['SsvcDto']; kev: Api['KevEntryDto'] | null }) {
  const { decision, exploitation, automatable, technicalImpact, missionImpact, cve } = ssvc;
  return (
    <Panel title={t`SSVC decision`}>
      <Group gap="xs" mb="sm">
        <Decision of={decision} />
        <Text size="sm">{advice()[decision]}.</Text>
      </Group>
      <Facts
        of={[
          ['CVE', cve],
          [t`Exploitation`, exploitations()[exploitation]],
          [t`Automatable`, automatable ? t`Yes` : t`No`],
          [t`Technical impact`, technicalImpact === 'total' ? t`Total` : t`Partial`],
          [t`Mission impact`, levelNames()[missionImpact]],
          [t`Known exploited`, kev && knownSince(kev)],
          [t`Remedy due`, kev?.due],
          [t`Ransomware`, kev && (kev.ransomware ? t`Known use` : t`No known use`)],
        ]}
      />
    </Panel>
  );
}

const knownSince = ({ cve, added }: Api['KevEntryDto']) => t`${cve}, since ${added}`;
