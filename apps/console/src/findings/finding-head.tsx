import { Trans } from '@lingui/react/macro';
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
  const { type, subtype, assetId, assetName } = finding;
  const kind = subtype ? `${typeNames()[type]} (${subtype})` : typeNames()[type];
  return (
    <>
      <PageTitle
        name={finding.name}
        above={
          <Text size="sm" c="dimmed">
            <Trans>
              {kind} on{' '}
              <AppLink to={`/assets/${assetId}`} inherit underline="always">
                <bdi>{assetName}</bdi>
              </AppLink>
            </Trans>
          </Text>
        }
        actions={<FindingActs finding={finding} />}
      >
        <bdi>{finding.name}</bdi>
      </PageTitle>
      <Group gap="xs" mb="md" mt={-8}>
        <State of={finding.state} />
        <Severity value={finding.severity.value} />
        {finding.ssvc && <Decision of={finding.ssvc.decision} />}
      </Group>
    </>
  );
}
