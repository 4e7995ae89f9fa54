import { Group, Text } from '@mantine/core';
import type { Api } from '../api/client.ts';
import { ADVICE, Decision } from '../parts/decision.tsx';
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
    <Panel title="SSVC decision">
      <Group gap="xs" mb="sm">
        <Decision of={decision} />
        <Text size="sm">{ADVICE[decision]}.</Text>
      </Group>
      <Facts
        of={[
          ['CVE', cve],
          ['Exploitation', EXPLOITATION[exploitation]],
          ['Automatable', automatable ? 'Yes' : 'No'],
          ['Technical impact', technicalImpact === 'total' ? 'Total' : 'Partial'],
          ['Mission impact', mission.charAt(0).toUpperCase() + mission.slice(1)],
          ['Known exploited', kev && `since ${kev.knownExploitedSince}`],
          ['Remedy due', kev?.dueDate],
          ['Ransomware', kev && (kev.usedByRansomware ? 'Known to use this CVE' : 'No known use')],
        ]}
      />
    </Panel>
  );
}
