import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Box, NumberInput, Paper, Text, Title } from '@mantine/core';
import type { Api } from '../../api/client.ts';
import { number, separators } from '../../language/format.ts';
import { FINDING_TYPES, typeNames } from '../../parts/finding-type.ts';
import { HistoryPreview } from './history-preview.tsx';
import classes from './policies.module.css';
import { type DaysByType, type Draft, daysPath, rangeText, unitText, valueAt, valueText } from './policy.ts';

/** Days that can be saved. */
const isWhole = (days: unknown, { min, max }: DaysByType['kind']): days is number =>
  Number.isInteger(days) && Number(days) >= min && Number(days) <= max;

/** A policy with days for each finding type. */
export function DaysByTypePolicy({
  policy: { setting, title, hint, effect, kind, withoutDays },
  settings,
  changes,
  mayChange,
  errors,
  onChange,
}: {
  policy: DaysByType;
  settings: Api['SettingsDto'];
  changes: Draft;
  mayChange: boolean;
  errors: Record<string, string>;
  onChange: (path: string, value: unknown) => void;
}) {
  const [least, most] = [number(kind.min), number(kind.max)];
  const isChanged = FINDING_TYPES.some((type) => daysPath(setting, type) in changes);
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={setting}>
      <Title order={2} size="h4" id={setting}>
        {title}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {hint} {withoutDays === undefined ? rangeText(kind) : t`${least} to ${most} days, empty: for ever.`}
      </Text>
      <div className={classes.days}>
        {FINDING_TYPES.map((type) => {
          const path = daysPath(setting, type);
          const value = path in changes ? changes[path] : valueAt(settings, path);
          return (
            <Box key={type} className={classes.field} data-changed={path in changes || undefined}>
              {mayChange ? (
                <NumberInput
                  label={typeNames()[type]}
                  value={(value ?? '') as number | ''}
                  {...(withoutDays !== undefined && { placeholder: withoutDays })}
                  onChange={(days) => onChange(path, days === '' && withoutDays !== undefined ? null : days)}
                  min={kind.min}
                  max={kind.max}
                  clampBehavior="none"
                  {...separators()}
                  suffix={` ${unitText(kind.unit, value)}`}
                  error={errors[path]}
                />
              ) : (
                <>
                  <Text size="sm">{typeNames()[type]}</Text>
                  <Text fw={600}>{value === null ? withoutDays : valueText(kind, value)}</Text>
                </>
              )}
            </Box>
          );
        })}
      </div>
      {isChanged && (
        <Text size="xs" mt="sm">
          <b>
            <Trans>Unsaved.</Trans>
          </b>{' '}
          {effect}
        </Text>
      )}
      {setting === 'historyRetentionDays' &&
        FINDING_TYPES.map((type) => {
          const days = changes[daysPath(setting, type)];
          return isWhole(days, kind) && <HistoryPreview key={type} type={type} days={days} />;
        })}
    </Paper>
  );
}
