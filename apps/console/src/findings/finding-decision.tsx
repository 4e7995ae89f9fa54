import { t } from '@lingui/core/macro';
import { Group, Text } from '@mantine/core';
import type { Api } from '../api/client.ts';
import { advice, Decision } from '../parts/decision.tsx';
import { Facts } from '../parts/facts.tsx';
import { Panel } from '../parts/panel.tsx';

const EXPLOITATION: Record<Api['SsvcDto']['exploitation'], string> = {
  active: 'Active',
  poc: 'Public exploit code',
  none: 'None known',
};

/** The SSVC decision on a finding with its inputs. */
export function FindingDecision({ ssvc }: { ssvc: Api['SsvcDto'] }) {
  const { decision, exploitation, automatable, technicalImpact, mission, cve, kev } = ssvc;
  return (
    <Panel title={t`SSVC decision`}>
      <Group gap="xs" mb="sm">
        <Decision of={decision} />
        <Text size="sm">{advice()[decision]}.</Text>
      </Group>
      <Facts
        of={[
          [t`CVE`, cve],
          [t`Exploitation`, EXPLOITATION[exploitation]],
          [t`Automatable`, automatable ? t`Yes` : t`No`],
          [t`Technical impact`, technicalImpact === 'total' ? t`Total` : t`Partial`],
          [t`Mission impact`, mission.charAt(0).toUpperCase() + mission.slice(1)],
          [t`Known exploited`, kev && `since ${kev.knownExploitedSince}`],
          [t`Remedy due`, kev?.dueDate],
          [t`Ransomware`, kev && (kev.usedByRansomware ? t`Known to use this CVE` : t`No known use`)],
        ]}
      />
    </Panel>
  );
}
