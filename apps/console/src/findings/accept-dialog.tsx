import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Api } from '../api/client.ts';
import { Dialog } from '../parts/dialog.tsx';
import { FormButtons } from '../parts/form-buttons.tsx';
import { isInputComplete } from '../parts/is-input-complete.ts';
import { useKeptFields } from '../parts/use-kept-fields.ts';
import {
  AcceptanceFields,
  type AcceptanceProblems,
  readAcceptance,
  useNeedsEnd,
} from './acceptance-fields.tsx';
import { ActFailure } from './act-failure.tsx';
import { useFindingAct } from './use-finding-act.ts';

/** Asks for the rationale and the end of an acceptance. */
export function AcceptDialog({ finding, onClose }: { finding: Api['FindingDto']; onClose: () => void }) {
  const { name, assetName } = finding;
  const draft = `accept ${finding.id}`;
  const act = useFindingAct(finding, draft, onClose);
  const [problems, setProblems] = useState<AcceptanceProblems>({});
  const needsEnd = useNeedsEnd();
  const keptFields = useKeptFields(`fields of ${draft}`);
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!isInputComplete(event.currentTarget)) return;
    const read = readAcceptance(new FormData(event.currentTarget), needsEnd);
    if ('problems' in read) return setProblems(read.problems);
    act.accept(read);
  }
  return (
    <Dialog onClose={onClose} title={t`Accept the risk`} size="lg">
      <form ref={keptFields} onSubmit={submit} noValidate>
        <Stack>
          <Text size="sm">
            <Trans>
              <b dir="auto">{name}</b> on <bdi>{assetName}</bdi> no longer counts for the score. Signals do
              not change it until the acceptance ends or is reverted.
            </Trans>
          </Text>
          <ActFailure act={act} finding={finding} isStillPossible={finding.state === 'Failed'} />
          <AcceptanceFields draft={draft} needsEnd={needsEnd} problems={problems} onProblems={setProblems} />
          <FormButtons act={t`Accept`} isBusy={act.isBusy} onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
