import { Trans } from '@lingui/react/macro';
import { Group, NativeSelect, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { type ReactNode, useId } from 'react';
import { number } from '../language/format.ts';

const SIZES = [25, 50, 100] as const;

/** Rows per page, stored in this browser, and a control to select it. */
export function usePageSize(onChange: () => void): { size: number; chooser: ReactNode } {
  const id = useId();
  const [size, setSize] = useLocalStorage<number>({
    key: 'posture-page-size',
    defaultValue: 50,
    getInitialValueInEffect: false,
  });
  const chooser = (
    <Group gap="xs">
      <Text component="label" htmlFor={id} size="sm" c="dimmed">
        <Trans>Rows per page</Trans>
      </Text>
      <NativeSelect
        id={id}
        size="xs"
        data={SIZES.map((size) => ({ value: String(size), label: number(size) }))}
        value={String(size)}
        onChange={({ currentTarget: { value } }) => {
          setSize(Number(value));
          onChange();
        }}
      />
    </Group>
  );
  return { size: SIZES.find((one) => one === size) ?? 50, chooser };
}
