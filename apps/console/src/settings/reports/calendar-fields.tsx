import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, List, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { api } from '../../api/client.ts';
import { sentenceOf } from '../../parts/states.tsx';
import { cronOf, type Often, type When } from './calendar.ts';
import { frequencies, inZone, monthDays, timeZonesWith, weekdays } from './calendar-words.ts';

const PAUSE_MS = 300;

/** When a report is sent, and the times that this gives. */
export function CalendarFields({
  value,
  onChange,
  timeZone,
  onTimeZone,
  errors,
}: {
  value: When;
  onChange: (when: When) => void;
  timeZone: string;
  onTimeZone: (timeZone: string) => void;
  errors: { cron: ReactNode; timeZone: ReactNode };
}) {
  const zones = useMemo(() => timeZonesWith(timeZone), [timeZone]);
  const set = (changed: Partial<When>) => onChange({ ...value, ...changed });
  return (
    <Stack gap="xs">
      <Group align="flex-start" grow preventGrowOverflow={false}>
        <NativeSelect
          label={t({ message: 'Sent', context: 'how often' })}
          data={frequencies()}
          value={value.often}
          onChange={({ currentTarget }) => {
            const often = currentTarget.value as Often;
            set({ often, ...(often === 'other' && { cron: cronOf(value) }) });
          }}
          error={value.often !== 'other' && errors.cron}
        />
        {value.often === 'weekly' && (
          <NativeSelect
            label={t`Day of the week`}
            data={weekdays()}
            value={value.weekday}
            onChange={({ currentTarget }) => set({ weekday: currentTarget.value })}
          />
        )}
        {value.often === 'monthly' && (
          <NativeSelect
            label={t`Day of the month`}
            data={monthDays()}
            value={value.monthDay}
            onChange={({ currentTarget }) => set({ monthDay: currentTarget.value })}
          />
        )}
        {value.often === 'other' ? (
          <TextInput
            label={t`Cron expression`}
            description={t`Minute, hour, day of the month, month, day of the week`}
            value={value.cron}
            onChange={({ currentTarget }) => set({ cron: currentTarget.value })}
            error={errors.cron}
            maxLength={200}
            autoComplete="off"
            dir="ltr"
          />
        ) : (
          <TextInput
            type="time"
            label={t`Time`}
            value={value.time}
            onChange={({ currentTarget }) => set({ time: currentTarget.value })}
          />
        )}
      </Group>
      <NativeSelect
        label={t`Time zone`}
        data={zones}
        value={timeZone}
        onChange={({ currentTarget }) => onTimeZone(currentTarget.value)}
        error={errors.timeZone}
      />
      <NextTimes cron={cronOf(value)} timeZone={timeZone} />
    </Stack>
  );
}

function NextTimes({ cron, timeZone }: { cron: string; timeZone: string }) {
  const [body] = useDebouncedValue({ cron, timeZone }, PAUSE_MS);
  const { data, error } = api.useQuery(
    'post',
    '/api/v3/report-schedules/preview',
    { body },
    { enabled: body.cron !== '', retry: false, placeholderData: keepPreviousData },
  );
  return (
    <section aria-label={t`Next times`}>
      <Text size="sm" fw={550}>
        <Trans>Next times</Trans>
      </Text>
      <div role="status">
        {error && body.cron !== '' ? (
          <Text size="sm">{sentenceOf(error)}</Text>
        ) : (
          <List size="sm">
            {data?.times.map((time) => (
              <List.Item key={time}>{inZone(time, body.timeZone)}</List.Item>
            ))}
          </List>
        )}
      </div>
    </section>
  );
}
