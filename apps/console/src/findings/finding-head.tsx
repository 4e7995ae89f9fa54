import { Group, Text } from '@mantine/core';
import type { Api } from '../api/client.ts';
import { AppLink } from '../app/links.tsx';
import { Decision } from '../parts/decision.tsx';
import { typeNames } from '../parts/finding-type.ts';
import { PageTitle } from '../parts/page-title.tsx';
import { Severity } from '../parts/severity.tsx';
import { State } from '../parts/state.tsx';
import { FindingActs } from './finding-acts.tsx';

/** Name, asset, severity, state and actions of a finding. */
export function FindingHead({ finding }: { finding: Api['FindingDto'] }) {
  return (
    <>
      <PageTitle
        name={finding.name}
        above={
          <Text size="sm" c="dimmed">
            {typeNames()[finding.type]}
            {finding.subtype && ` (${finding.subtype})`} on{' '}
            <AppLink to={`/assets/${finding.assetId}`} inherit underline="always">
              {finding.assetName}
            </AppLink>
          </Text>
        }
        actions={<FindingActs finding={finding} />}
      >
        {finding.name}
      </PageTitle>
      <Group gap="xs" mb="md" mt={-8}>
        <State of={finding.state} />
        <Severity value={finding.severity.value} />
        {finding.ssvc && <Decision of={finding.ssvc.decision} />}
      </Group>
    </>
  );
}
