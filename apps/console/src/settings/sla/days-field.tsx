import { plural, t } from '@lingui/core/macro';
import { Box, NumberInput, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { separators } from '../../language/format.ts';
import classes from '../policies/policies.module.css';
import { DAYS, valueText } from '../policies/policy.ts';
import type { Days } from './sla-draft.ts';

/** Days of one class of findings. */
export function DaysField({
  label,
  description,
  value,
  isChanged,
  error,
  onChange,
}: {
  label: ReactNode;
  description?: string;
  value: Days;
  isChanged: boolean;
  error: string | undefined;
  /** Null if the user cannot change them. */
  onChange: ((days: Days) => void) | null;
}) {
  return (
    <Box className={classes.field} data-changed={isChanged || undefined}>
      {onChange ? (
        <NumberInput
          label={label}
          description={description}
          value={value}
          onChange={onChange}
          placeholder={t`No days`}
          min={DAYS.min}
          max={DAYS.max}
          clampBehavior="none"
          {...separators()}
          suffix={` ${plural(Number(value), { one: 'day', other: 'days' })}`}
          error={error}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
      ) : (
        <>
          <Text size="sm">{label}</Text>
          <Text fw={600}>{value === '' ? t`No days` : valueText(DAYS, value)}</Text>
        </>
      )}
    </Box>
  );
}
