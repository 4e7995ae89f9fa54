import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { Failure } from '../api/client.ts';
import { sentenceOf } from '../parts/states.tsx';
import { needsSecret, problemsOf, type Values } from './form-values.ts';
import type { Kind } from './kinds.ts';
import { asSentence } from './sync-words.ts';

const required = (value: string) => (value.trim() === '' ? 'This is needed.' : null);

/** The form of an integration, and where it shows what the service refuses; all else the service decides. */
export function useIntegrationForm(kind: Kind, initialValues: Values, stored: { hasSecret: boolean } | null) {
  const [refusal, setRefusal] = useState<string | null>(null);
  const form = useForm<Values>({
    initialValues,
    validate: {
      name: (name) => (stored ? required(name) : null),
      url: (url) =>
        /^https?:\/\/\S+$/i.test(url.trim()) ? null : 'An address that begins with http:// or https://.',
      account: required,
      secret: (secret, values) =>
        stored?.hasSecret && !needsSecret(initialValues, values) ? null : required(secret),
      days: (days, { isAutomatic }) =>
        !isAutomatic || (Number(days) >= 1 && Number(days) <= 365) ? null : '1 to 365 whole days.',
    },
  });

  /** Shows a failure at the fields that it names, and what is of none above the form. */
  function show(error: Failure) {
    const { fields, rest } =
      !(error instanceof Error) && error.statusCode === 400
        ? problemsOf(kind, error.message)
        : { fields: {}, rest: sentenceOf(error) };
    form.setErrors(fields);
    setRefusal(rest === '' ? null : asSentence(rest));
  }
  return { form, refusal, show, clear: () => setRefusal(null) };
}
