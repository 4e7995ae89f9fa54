import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Api } from '../../api/client.ts';
import { dueInstant } from '../../parts/instant.tsx';
import { Panel } from '../../parts/panel.tsx';
import { useMay } from '../../session/session.ts';
import { useAsOf } from '../../time/as-of.ts';
import { ASSIGN, CHANGE_TICKETS, SET_DUE, TAG } from './acts.ts';
import { Assignee, Due, Tags } from './cells.tsx';
import type { TriageAct } from './triage-act.ts';
import { TriageDialog } from './triage-dialog.tsx';

type Finding = Api['FindingDto'];

/** Who works on the finding, until when, and where. */
export function FindingTriage({ finding }: { finding: Finding }) {
  const mayTriage = useMay('findings:triage');
  const { asOf } = useAsOf();
  const [opened, setOpened] = useState<TriageAct | null>(null);
  const mayChange = mayTriage && asOf === null && finding.state !== 'Retired';
  const { assignee, assigneeBy, tags, tickets } = finding;
  const row = (act: TriageAct, title: string, value: ReactNode) => (
    <div>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text size="sm" c="dimmed">
          {title}
        </Text>
        {mayChange && (
          <Button
            size="compact-xs"
            variant="subtle"
            aria-label={t`Change: ${title}`}
            onClick={() => setOpened(act)}
          >
            <Trans>Change</Trans>
          </Button>
        )}
      </Group>
      <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
        {value}
      </Text>
    </div>
  );
  return (
    <Panel title={t`Triage`}>
      <Stack gap="xs">
        {row(ASSIGN, t`Assignee`, assignee ? <Assignee of={assignee} by={assigneeBy} /> : t`Nobody`)}
        {row(SET_DUE, t`Due`, <DueDate of={finding} />)}
        {row(TAG, t`Tags`, tags.length > 0 ? <Tags of={tags} /> : t`None`)}
        {row(CHANGE_TICKETS, t`Tickets`, tickets.length > 0 ? <Tickets of={tickets} /> : t`None`)}
      </Stack>
      {opened && <TriageDialog act={opened} finding={finding} onClose={() => setOpened(null)} />}
    </Panel>
  );
}

function DueDate({ of: finding }: { of: Finding }) {
  const { due, dueReason, sla } = finding;
  if (due === null && sla === null) return t`No due date`;
  return (
    <>
      <span title={due === null ? undefined : dueInstant(due)}>
        <Due of={finding} />
      </span>
      <div>{originOf(finding)}</div>
      {dueReason && <div dir="auto">{dueReason}</div>}
    </>
  );
}

const DAY_MS = 86_400_000;

/** Who says until when: a user or the SLA. */
function originOf({ due, dueBy, failedSince, firstSeen }: Finding): string {
  if (dueBy === 'user') return t`Set by a user`;
  if (due === null) return t`By the SLA of its severity`;
  const days = Math.round((Date.parse(due) - Date.parse(failedSince ?? firstSeen)) / DAY_MS);
  return plural(days, {
    one: 'By the SLA: # day after it failed',
    other: 'By the SLA: # days after it failed',
  });
}

/** Addresses are https: the service accepts no others. */
const Tickets = ({ of: tickets }: { of: Finding['tickets'] }) => (
  <Stack gap={2}>
    {tickets.map(({ url, label }) => (
      <Anchor
        key={url}
        href={url}
        target="_blank"
        rel="noopener noreferrer"
        referrerPolicy="no-referrer"
        inherit
        underline="always"
      >
        <bdi>{label}</bdi>
      </Anchor>
    ))}
  </Stack>
);
