import { Trans as Message, type TransProps } from '@lingui/react';

/**
 * What `<Trans>` of the macro becomes (messages-plugin.ts). In strings, Lingui takes `<b>` for an element of the message and
 * drops it; names of findings have such texts, so they are given as elements.
 */
export const Trans = ({ values, ...props }: TransProps) => (
  <Message {...props} values={values && Object.fromEntries(Object.entries(values).map(asElement))} />
);

const asElement = ([name, value]: [string, unknown]): [string, unknown] => [name, shown(value)];

const shown = (value: unknown) =>
  typeof value === 'string' && value.includes('<') ? <bdi>{value}</bdi> : value;
