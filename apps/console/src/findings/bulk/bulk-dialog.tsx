import { Button, Group, Progress, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { Failure } from '../../api/client.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Failed } from '../../parts/states.tsx';
import type { BulkAct, Target } from './bulk-act.ts';
import { findings, Meant, useMeant } from './meant.tsx';
import { OutcomeReport } from './outcome-report.tsx';
import { type Outcome, performOnEach, performOnMatching } from './perform.ts';

/** Lists whose rows an act may alter. */
const TOUCHED = ['/api/v3/findings', '/api/v3/assets', '/api/v3/scores'];

interface Props<Words> {
  act: BulkAct<Words>;
  target: Target;
  /** Null where something is wrong with them, which the fields then say. */
  wordsOf: (form: FormData) => Words | null;
  onClose: () => void;
  /** The fields of the words. */
  children: ReactNode;
}

/** Asks for the words, says what the act will do before, and in full what it has done after. */
export function BulkDialog<Words>(props: Props<Words>) {
  const { act, target, wordsOf, onClose, children } = props;
  const queries = useQueryClient();
  const meant = useMeant(act, target);
  const [settled, setSettled] = useState(0);
  const doing = useMutation<Outcome, Failure, Words>({
    mutationFn: (words) =>
      target.kind === 'chosen'
        ? performOnEach(act, target.findings.filter(act.takes), words, setSettled)
        : performOnMatching(act, target.filter, words, meant.count ?? 0),
    onSettled: () =>
      void queries.invalidateQueries({
        predicate: ({ queryKey: [, path] }) => TOUCHED.some((start) => String(path).startsWith(start)),
      }),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const words = wordsOf(new FormData(event.currentTarget));
    if (words !== null) doing.mutate(words);
  };
  const again = () => {
    doing.reset();
    meant.again();
  };
  return (
    <Dialog
      onClose={onClose}
      title={`${act.verb} findings`}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={!doing.isPending}
      withCloseButton={!doing.isPending}
    >
      {doing.data ? (
        <Stack>
          <OutcomeReport outcome={doing.data} verb={act.done} />
          <Group justify="flex-end">
            <Button onClick={onClose} data-autofocus>
              Close
            </Button>
          </Group>
        </Stack>
      ) : (
        <form onSubmit={submit} noValidate>
          <Stack>
            <Meant act={act} target={target} meant={meant} />
            {children}
            {doing.error && <Failed error={doing.error} onRetry={again} />}
            {doing.isPending && target.kind === 'chosen' && (
              <Progress
                value={(100 * settled) / (meant.count || 1)}
                aria-label={`${settled} of ${meant.count} settled`}
              />
            )}
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose} disabled={doing.isPending}>
                Cancel
              </Button>
              <Button type="submit" disabled={!meant.count} loading={doing.isPending}>
                {act.verb} {meant.count ? findings(meant.count) : ''}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Dialog>
  );
}
