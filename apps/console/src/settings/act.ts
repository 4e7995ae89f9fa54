import { notifications } from '@mantine/notifications';
import type { Api, Failure } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { sentenceOf } from '../parts/states.tsx';
import { useMay } from '../session/session.ts';
import { useAsOf } from '../time/as-of.ts';

/** Settings are asked for anew whenever a section is entered: another admin may have changed them. */
export const ON_ENTRY = { refetchOnMount: 'always' } as const;

/** Settings are an admin's to change (D25), and only in the present. */
export function useMayChange(): boolean {
  const { administer } = useMay();
  const { asOf } = useAsOf();
  return administer && asOf === null;
}

const isPending = (answer: unknown): answer is Api['PendingActDto'] =>
  typeof answer === 'object' && answer !== null && 'position' in answer && 'message' in answer;

const CLOSE = { 'aria-label': 'Close' };

/**
 * Says how an act came out; resolves once it shows. What is shown anywhere may follow from a setting, so that all of it
 * is asked for anew.
 */
export function settled(answer: unknown, sentence: string): Promise<void> {
  if (isPending(answer)) {
    notifications.show({
      color: 'orange.9',
      title: 'Accepted, and not in force yet',
      message: 'The service is behind with its work and will get to it. Look again in a minute.',
      autoClose: 10_000,
      closeButtonProps: CLOSE,
    });
  } else notifications.show({ color: 'green.9', message: sentence, closeButtonProps: CLOSE });
  return queryClient.invalidateQueries();
}

/** Somebody else has changed meanwhile what this was decided on. */
export const isStale = (error: Failure): boolean => !(error instanceof Error) && error.statusCode === 409;

export interface Complaint {
  /** By the path of the field in the body; '' for what belongs to none of those that are shown. */
  fields: Record<string, string>;
  general: string | null;
}

const PATH = /^(?:each value in |All )?([A-Za-z]\w*(?:\.\w+)*)(?:'s)? (.+)$/;

/**
 * A refusal sorted to the fields that it names (the service says `path must …`, one sentence each); the rest is for
 * above the form.
 *
 * @param isField whether the form shows a field of that path
 */
export function complaintOf(error: Failure | null, isField: (path: string) => boolean): Complaint {
  const complaint: Complaint = { fields: {}, general: null };
  if (error === null) return complaint;
  if (error instanceof Error || error.statusCode !== 400) return { ...complaint, general: sentenceOf(error) };
  for (const sentence of error.message.split('; ')) {
    const [, path = '', what = ''] = PATH.exec(sentence) ?? [];
    if (!isField(path)) complaint.general = [complaint.general, sentence].filter(Boolean).join('; ');
    else complaint.fields[path] ??= `${what[0]?.toUpperCase()}${what.slice(1)}`;
  }
  return complaint;
}

/** A form of a thing with a name: a name that is taken is said at the name. */
export function namedComplaintOf(
  error: Failure | null,
  isField: (path: string) => boolean,
  name = 'name',
): Complaint {
  const complaint = complaintOf(error, isField);
  const isTaken = !(error instanceof Error) && error?.statusCode === 409 && /\bname\b/.test(error.message);
  return isTaken
    ? {
        fields: { [name]: 'Another one has this name: choose another name, or change that one.' },
        general: null,
      }
    : complaint;
}
