import { Checkbox, Radio, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useId, useState } from 'react';
import classes from './filters.module.css';

export interface Option {
  value: string;
  label: string;
  /** How many there are with it, where that is known. */
  count?: number | undefined;
}

/** More can be found by their letters alone. */
const SHOWN_MAX = 100;
const SEARCHED_FROM = 9;

interface Props {
  label: string;
  options: readonly Option[];
  values: readonly string[];
  onChange: (values: string[]) => void;
}

/** Values of which several are alternatives. */
export function ManyOf({ label, options, values, onChange }: Props) {
  // The address follows a click late: the box shows at once what was chosen.
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

/** Values of which one can hold, or none. */
export function OneOf({ label, options, values, onChange }: Props) {
  return (
    <Radio.Group
      label={label}
      value={values[0] ?? ''}
      onChange={(value) => onChange(value === '' ? [] : [value])}
    >
      <Options options={[{ value: '', label: 'Any' }, ...options]}>
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
  return (
    <Stack gap="xs" mt="xs">
      {options.length >= SEARCHED_FROM && (
        <TextInput
          size="xs"
          aria-label="Find a value"
          placeholder="Find a value"
          value={part}
          onChange={({ currentTarget: { value } }) => setPart(value)}
        />
      )}
      <Stack gap="xs" className={classes.options}>
        {found.slice(0, SHOWN_MAX).map(({ value, label, count }) => (
          <div key={value} className={classes.option}>
            {children({ id: `${id}-${value}`, value, label })}
            {count !== undefined && <span className={classes.count}>{count.toLocaleString()}</span>}
          </div>
        ))}
      </Stack>
      {found.length === 0 && <Text size="sm">No value has these letters.</Text>}
      {found.length > SHOWN_MAX && (
        <Text size="xs" c="dimmed">
          {(found.length - SHOWN_MAX).toLocaleString()} more: type some letters.
        </Text>
      )}
    </Stack>
  );
}
