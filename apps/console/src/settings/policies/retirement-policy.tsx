import { Box, NumberInput, Paper, Text, Title } from '@mantine/core';
import type { Api } from '../../api/client.ts';
import { type FindingType, TYPE_NAMES } from '../../parts/finding-type.ts';
import classes from './policies.module.css';
import { DAYS, type Draft, RETIREMENT, retirementPath, valueAt, valueText } from './policy.ts';

const TYPES = Object.keys(TYPE_NAMES) as FindingType[];

/** Days until a finding expires, by type. */
export function RetirementPolicy({
  settings,
  changes,
  mayChange,
  errors,
  onChange,
}: {
  settings: Api['SettingsDto'];
  changes: Draft;
  mayChange: boolean;
  errors: Record<string, string>;
  onChange: (path: string, value: unknown) => void;
}) {
  const isChanged = TYPES.some((type) => retirementPath(type) in changes);
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="retirement-policy">
      <Title order={2} size="h4" id="retirement-policy">
        {RETIREMENT.title}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {RETIREMENT.hint} {DAYS.min} to {DAYS.max.toLocaleString()} days.
      </Text>
      <div className={classes.days}>
        {TYPES.map((type) => {
          const path = retirementPath(type);
          const value = path in changes ? changes[path] : valueAt(settings, path);
          return (
            <Box key={type} className={classes.field} data-changed={path in changes || undefined}>
              {mayChange ? (
                <NumberInput
                  label={TYPE_NAMES[type]}
                  value={value as number}
                  onChange={(days) => onChange(path, days)}
                  min={DAYS.min}
                  max={DAYS.max}
                  clampBehavior="none"
                  thousandSeparator=","
                  suffix=" days"
                  error={errors[path]}
                />
              ) : (
                <>
                  <Text size="sm">{TYPE_NAMES[type]}</Text>
                  <Text fw={600}>{valueText(DAYS, value)}</Text>
                </>
              )}
            </Box>
          );
        })}
      </div>
      {isChanged && (
        <Text size="xs" mt="sm">
          <b>Unsaved.</b> {RETIREMENT.effect}
        </Text>
      )}
    </Paper>
  );
}
