import { t } from '@lingui/core/macro';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { Failure } from '../api/client.ts';
import { sentenceOf } from '../parts/states.tsx';
import { useKept } from '../parts/use-kept.ts';
import { needsSecret, problemsOf, type Values } from './form-values.ts';
import type { Kind } from './kinds.ts';
import { asSentence } from './sync-words.ts';

const required = (value: string) => (value.trim() === '' ? t`This field is required.` : null);

/**
 * The form of an integration, with basic validation. The service validates the rest.
 * @param draft names what was typed
 */
export function useIntegrationForm(
  kind: Kind,
  initialValues: Values,
  stored: { hasSecret: boolean } | null,
  draft: string,
) {
  const [kept, keep] = useKept(
    draft,
    () => initialValues,
    ({ secret: _, ...values }) => values,
  );
  const [rejection, setRejection] = useState<string | null>(null);
  const form = useForm<Values>({
    initialValues: kept,
    onValuesChange: keep,
    validate: {
      name: (name) => (stored ? required(name) : null),
      url: (url) =>
        /^https?:\/\/\S+$/i.test(url.trim())
          ? null
          : t`Enter an address that starts with http:// or https://.`,
      account: required,
      secret: (secret, values) =>
        stored?.hasSecret && !needsSecret(initialValues, values) ? null : required(secret),
      days: (days, { isAutomatic }) =>
        !isAutomatic || (Number(days) >= 1 && Number(days) <= 365)
          ? null
          : t`Enter a whole number from 1 to 365.`,
    },
  });

  /** Shows messages at their fields, and all other messages above the form. */
  function show(error: Failure) {
    const { fields, rest } =
      !(error instanceof Error) && error.statusCode === 400
        ? problemsOf(kind, error.message)
        : { fields: {}, rest: sentenceOf(error) };
    form.setErrors(fields);
    setRejection(rest === '' ? null : asSentence(rest));
  }
  return { form, rejection, show, clear: () => setRejection(null) };
}
