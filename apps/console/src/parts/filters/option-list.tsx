import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Checkbox, Radio, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { number } from '../../language/format.ts';
import classes from './filters.module.css';

interface Option {
  value: string;
  label: string;
  /** Number of items with this value, if known. */
  count?: number | undefined;
}

/** More options are only found by search. */
const SHOWN_MAX = 100;
const SEARCHED_FROM = 9;

interface Props {
  label: string;
  options: readonly Option[];
  values: readonly string[];
  onChange: (values: string[]) => void;
}

/** A filter with multiple alternative values. */
export function ManyOf({ label, options, values, onChange }: Props) {
  // The address changes late, so the checkbox shows the new value immediately.
  const [chosen, setChosen] = useState(values);
  const given = values.join();
  useEffect(() => setChosen(given === '' ? [] : given.split(',')), [given]);
  return (
    <Checkbox.Group
      label={label}
      value={[...chosen]}
      onChange={(after) => {
        setChosen(after);
        onChange(after);
      }}
    >
      <Options options={options}>{(option) => <Checkbox {...option} />}</Options>
    </Checkbox.Group>
  );
}

/** A filter with at most one value. */
export function OneOf({ label, options, values, onChange }: Props) {
  return (
    <Radio.Group
      label={label}
      value={values[0] ?? ''}
      onChange={(value) => onChange(value === '' ? [] : [value])}
    >
      <Options options={[{ value: '', label: t`Any` }, ...options]}>
        {(option) => <Radio {...option} />}
      </Options>
    </Radio.Group>
  );
}

function Options({
  options,
  children,
}: {
  options: readonly Option[];
  children: (option: { id: string; value: string; label: string }) => ReactNode;
}) {
  const id = useId();
  const [part, setPart] = useState('');
  const found = options.filter(({ label }) => label.toLowerCase().includes(part.toLowerCase()));
  const more = number(found.length - SHOWN_MAX);
  return (
    <Stack gap="xs" mt="xs">
      {options.length >= SEARCHED_FROM && (
        <TextInput
          size="xs"
          aria-label={t`Find a value`}
          placeholder={t`Find a value`}
          value={part}
          onChange={({ currentTarget: { value } }) => setPart(value)}
        />
      )}
      <Stack gap="xs" className={classes.options}>
        {found.slice(0, SHOWN_MAX).map(({ value, label, count }) => (
          <div key={value} className={classes.option}>
            {children({ id: `${id}-${value}`, value, label })}
            {count !== undefined && <span className={classes.count}>{number(count)}</span>}
          </div>
        ))}
      </Stack>
      {found.length === 0 && (
        <Text size="sm">
          <Trans>No matching values.</Trans>
        </Text>
      )}
      {found.length > SHOWN_MAX && (
        <Text size="xs" c="dimmed">
          <Trans>{more} more. Enter text to filter.</Trans>
        </Text>
      )}
    </Stack>
  );
}
