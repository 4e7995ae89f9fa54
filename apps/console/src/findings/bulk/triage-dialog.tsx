import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Button, Group, List, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { AppLink } from '../../app/links.tsx';
import { number } from '../../language/format.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { keepDraft } from '../../parts/drafts.ts';
import { findings } from '../../parts/finding-count.ts';
import { isInputComplete } from '../../parts/is-input-complete.ts';
import { useDraftEnd } from '../../parts/use-kept.ts';
import { useKeptFields } from '../../parts/use-kept-fields.ts';
import { useWarningBeforeLeaving } from '../../parts/use-warning-before-leaving.ts';
import { formErrorsOf } from '../../settings/act.ts';
import { FormError } from '../../settings/form-error.tsx';
import { ActFailed, mayHaveTakenEffect } from '../act-failed.tsx';
import {
  type ActBody,
  type ActedOn,
  type ActsOutcome,
  type TriageAct,
  useTriage,
  whyRefused,
} from '../triage/triage-act.ts';
import type { Target } from './bulk-act.tsx';
import { withStates } from './bulk-filter.ts';
import { OutcomeReport } from './outcome-report.tsx';
import type { OutcomeWords } from './outcome-words.ts';
import { idsAndVersions, outcomeOf, refusedName, sumOf } from './perform.ts';

const REFUSED_PREVIEWED_MAX = 5;

interface Props {
  act: TriageAct;
  target: Target;
  onClose: () => void;
}

/** Asks for an act on many findings, previews it, and reports its outcome. */
export function TriageDialog({ act, target, onClose }: Props) {
  const triage = useTriage();
  const [previewed, setPreviewed] = useState<{ body: ActBody; outcome: ActsOutcome } | null>(null);
  const draft = `${act.name} many`;
  const keptFields = useKeptFields(`fields of ${draft}`);
  // Of these findings only.
  useDraftEnd(draft);
  useWarningBeforeLeaving(previewed !== null && triage.isPending);
  const { fields, general } = formErrorsOf(triage.error, (path) => path.startsWith(`${act.name}.`));
  const preview = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isInputComplete(event.currentTarget)) return;
    const body = act.bodyOf(new FormData(event.currentTarget));
    const outcome = await triage
      .mutateAsync({ ...actedOn(act, target), ...body, dryRun: true })
      .catch(() => null);
    if (outcome) setPreviewed({ body, outcome });
  };
  const perform = async ({ body, outcome: { matching } }: NonNullable<typeof previewed>) => {
    const isByFilter = target.kind === 'matching';
    const outcome = await triage
      .mutateAsync({ ...actedOn(act, target), ...body, ...(isByFilter && { expected: matching }) })
      .catch(() => null);
    if (outcome) keepDraft(draft, '');
  };
  const outcome = triage.data?.dryRun === false ? triage.data : null;
  const isPreview = previewed !== null;
  // A second act, such as a comment, could repeat it.
  const isUnknown = triage.error !== null && mayHaveTakenEffect(triage.error);
  const label = act.label();
  return (
    <Dialog
      onClose={onClose}
      title={t`${label}: many findings`}
      size="lg"
      closeOnClickOutside={false}
      isBusy={triage.isPending}
    >
      {outcome ? (
        <Stack>
          <OutcomeReport
            outcome={outcomeOf(outcome)}
            words={act.words(previewed?.body ?? {})}
            isScored={false}
          />
          <Group justify="flex-end">
            <Button onClick={onClose} data-autofocus>
              <Trans>Close</Trans>
            </Button>
          </Group>
        </Stack>
      ) : (
        <form ref={keptFields} onSubmit={(event) => void preview(event)} noValidate>
          <Stack>
            <div hidden={isPreview}>
              <Stack>
                <act.Fields draft={draft} errors={fields} />
              </Stack>
            </div>
            {previewed && <Preview words={act.words(previewed.body)} outcome={previewed.outcome} />}
            {isPreview && triage.error && <ActFailed error={triage.error}>{general}</ActFailed>}
            {!isPreview && <FormError title={t`The action failed`}>{general}</FormError>}
            <Group key={isPreview ? 'act' : 'preview'} justify="flex-end">
              {previewed ? (
                <>
                  <Button
                    variant="default"
                    disabled={triage.isPending}
                    // The field that had the focus is hidden.
                    autoFocus
                    onClick={() => {
                      setPreviewed(null);
                      triage.reset();
                    }}
                  >
                    <Trans>Back</Trans>
                  </Button>
                  <Button
                    disabled={previewed.outcome.done === 0 || isUnknown}
                    loading={triage.isPending}
                    // The second click of a double click on Preview would be here.
                    onClick={({ detail }) => detail <= 1 && void perform(previewed)}
                  >
                    {label}: {findings(previewed.outcome.done)}
                  </Button>
                </>
              ) : (
                <>
                  <Button variant="default" disabled={triage.isPending} onClick={onClose}>
                    <Trans>Cancel</Trans>
                  </Button>
                  <Button type="submit" loading={triage.isPending}>
                    <Trans>Preview</Trans>
                  </Button>
                </>
              )}
            </Group>
          </Stack>
        </form>
      )}
    </Dialog>
  );
}

function actedOn({ isReplacing }: TriageAct, target: Target): ActedOn {
  if (target.kind === 'matching') {
    return { filter: withStates(target.filter, target.states) };
  }
  const { ids, versions } = idsAndVersions(target.findings);
  return isReplacing ? { ids, versions } : { ids };
}

/** What the act would do. */
function Preview({ words, outcome }: { words: OutcomeWords; outcome: ActsOutcome }) {
  const { done: count, unchanged, refused } = outcome;
  const refusals = sumOf(outcome.refusedBy);
  const more = number(refusals - REFUSED_PREVIEWED_MAX);
  return (
    <Stack gap="xs" role="status">
      <Text>{words.preview(count)}</Text>
      <Examples of={outcome.examples} all={count} />
      {unchanged > 0 && (
        <Text size="sm">
          <Plural value={unchanged} one="# finding needs no change." other="# findings need no change." />
        </Text>
      )}
      {refusals > 0 && (
        <>
          <Text size="sm">
            <Plural value={refusals} one="# finding will be skipped:" other="# findings will be skipped:" />
          </Text>
          <List size="sm">
            {refused.slice(0, REFUSED_PREVIEWED_MAX).map((one) => (
              <List.Item key={one.id}>
                <bdi>{refusedName(one)}</bdi>: {whyRefused(one.reason)}
              </List.Item>
            ))}
          </List>
          {refusals > REFUSED_PREVIEWED_MAX && (
            <Text size="sm">
              <Trans>and {more} more</Trans>
            </Text>
          )}
        </>
      )}
    </Stack>
  );
}

function Examples({ of: examples, all }: { of: ActsOutcome['examples']; all: number }) {
  const left = all - examples.length;
  const more = number(left);
  return (
    <List size="sm">
      {examples.map(({ id, name, assetName }) => (
        <List.Item key={id}>
          <Trans>
            <AppLink to={`/findings/${id}`} inherit>
              <bdi>{name}</bdi>
            </AppLink>{' '}
            on <bdi>{assetName}</bdi>
          </Trans>
        </List.Item>
      ))}
      {left > 0 && (
        <List.Item>
          <Trans>and {more} more</Trans>
        </List.Item>
      )}
    </List>
  );
}
