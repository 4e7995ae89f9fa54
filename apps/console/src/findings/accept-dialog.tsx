import { Button, Group, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Api } from '../api/client.ts';
import { localInput } from '../time/local-input.ts';
import { ActFailure } from './act-failure.tsx';
import { useFindingAct } from './use-finding-act.ts';

const RATIONALE_CHARACTERS_MAX = 4_000;

type Problems = { rationale?: string; until?: string };

/** Asks why the risk is accepted, and until when. */
export function AcceptDialog({ finding, onClose }: { finding: Api['FindingDto']; onClose: () => void }) {
  const act = useFindingAct(finding, onClose);
  const [problems, setProblems] = useState<Problems>({});
  const [earliest] = useState(() => localInput(Date.now()));
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const rationale = String(form.get('rationale')).trim();
    const until = String(form.get('until'));
    const found: Problems = {
      ...(rationale === '' && { rationale: 'Say why: others will ask.' }),
      ...(until !== '' && !(Date.parse(until) > Date.now()) && { until: 'The end must lie in the future.' }),
    };
    setProblems(found);
    if (Object.keys(found).length > 0) return;
    act.accept({ rationale, ...(until !== '' && { until: new Date(until).toISOString() }) });
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title="Accept the risk"
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text size="sm">
            <b>{finding.name}</b> on {finding.assetName} no longer counts for the score. Signals do not change
            it until the acceptance ends or is reverted.
          </Text>
          <ActFailure act={act} finding={finding} isStillPossible={finding.state === 'Failed'} />
          <Textarea
            name="rationale"
            label="Rationale"
            description="Kept in its history and in the audit trail."
            placeholder="Compensated by the firewall, see RISK-42"
            autosize
            minRows={3}
            maxLength={RATIONALE_CHARACTERS_MAX}
            required
            data-autofocus
            error={problems.rationale}
          />
          <TextInput
            type="datetime-local"
            name="until"
            label="Until"
            description="It is not assessed from then on. Empty: until somebody reverts it."
            min={earliest}
            error={problems.until}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={act.isBusy}>
              Accept
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
