import { t } from '@lingui/core/macro';
import { notifications } from '@mantine/notifications';
import type { Api, Failure } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { sentenceOf } from '../parts/states.tsx';
import type { Scope } from '../session/scope.ts';
import { useMay } from '../session/session.ts';
import { useAsOf } from '../time/as-of.ts';

/** Settings are requested each time a section opens, because another admin may have changed them. */
export const ON_ENTRY = { refetchOnMount: 'always' } as const;

/** Whether the user can change what the scope permits: not while a past time is displayed. */
export function useMayChange(scope: Scope): boolean {
  const may = useMay(scope);
  const { asOf } = useAsOf();
  return may && asOf === null;
}

const isPending = (answer: unknown): answer is Api['PendingActDto'] =>
  typeof answer === 'object' && answer !== null && 'position' in answer && 'message' in answer;

/**
 * Shows the outcome of a change and refreshes all queries, because any data can depend on a setting.
 */
export function settled(answer: unknown, sentence: string): Promise<void> {
  const closeButtonProps = { 'aria-label': t`Close` };
  if (isPending(answer)) {
    notifications.show({
      color: 'orange.9',
      title: t`Accepted, not yet in effect`,
      message: t`The service is still processing earlier changes. Check again in a minute.`,
      autoClose: 10_000,
      closeButtonProps,
    });
  } else notifications.show({ color: 'green.9', message: sentence, closeButtonProps });
  return queryClient.invalidateQueries();
}

/** The item of a list as another admin may have changed it since the list was read; undefined if it is gone. */
export async function newest<T extends { id: string }>(
  query: { refetch: () => Promise<{ data?: { items: T[] } | undefined }> },
  id: string,
): Promise<T | undefined> {
  const { data } = await query.refetch();
  return data?.items.find((item) => item.id === id);
}

const isNameTaken = (error: Failure): boolean =>
  !(error instanceof Error) && error.statusCode === 409 && /\bname\b/.test(error.message);

/** Whether another user changed the data in the meantime. Other conflicts (409) have messages of their own. */
export const isStale = (error: Failure): boolean => !(error instanceof Error) && error.reason === 'stale';

/** After the error of a change: what another user changed is read again, so that the change can be repeated. */
export const refreshIfStale = (error: Failure): void => {
  if (isStale(error)) void queryClient.invalidateQueries();
};

export interface FormErrors {
  /** Messages by the path of the field in the body. */
  fields: Record<string, string>;
  general: string | null;
}

const PATH = /^(?:each value in |All )?([A-Za-z]\w*(?:\.[\w*]+)*)(?:'s|:)? (.+)$/;

/**
 * Assigns the sentences of an error to form fields. The service returns one sentence per error, which starts with the
 * path of the field (`path must …`, `path: …`). All other sentences are general.
 *
 * @param isField whether the form has a field with this path
 */
export function formErrorsOf(error: Failure | null, isField: (path: string) => boolean): FormErrors {
  const formErrors: FormErrors = { fields: {}, general: null };
  if (error === null) return formErrors;
  if (isStale(error)) {
    const general = t`Another user changed this. Your change is not saved: close the dialog, then open it again to see theirs.`;
    return { ...formErrors, general };
  }
  if (error instanceof Error || error.statusCode !== 400)
    return { ...formErrors, general: sentenceOf(error) };
  for (const sentence of error.message.split('; ')) {
    // The others are about more of the same.
    if (/^and \d+ more$/.test(sentence) && Object.keys(formErrors.fields).length > 0) continue;
    const [, path = '', what = ''] = PATH.exec(sentence) ?? [];
    if (!isField(path)) formErrors.general = [formErrors.general, sentence].filter(Boolean).join('; ');
    else formErrors.fields[path] ??= `${what[0]?.toUpperCase()}${what.slice(1)}`;
  }
  return formErrors;
}

/** As `formErrorsOf`, and assigns a name conflict (409) to the name field. */
export function namedFormErrorsOf(
  error: Failure | null,
  isField: (path: string) => boolean,
  name = 'name',
): FormErrors {
  return error && isNameTaken(error)
    ? { fields: { [name]: t`This name is already in use. Choose another name.` }, general: null }
    : formErrorsOf(error, isField);
}
