import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Box, NativeSelect, NumberInput, Switch, TagsInput, Text, TextInput } from '@mantine/core';
import { separators } from '../../language/format.ts';
import { NamesInput } from '../../parts/names-input.tsx';
import classes from './policies.module.css';
import { type Policy, rangeText, unitText, valueText } from './policy.ts';

/** Width of the input only; the description uses the full width. */
const SHORT = { wrapper: { maxWidth: 240 } };
const MIDDLING = { wrapper: { maxWidth: 420 } };

interface Props {
  policy: Pick<Policy, 'label' | 'hint' | 'effect' | 'kind'>;
  value: unknown;
  isChanged: boolean;
  mayChange: boolean;
  error: string | undefined;
  onChange: (value: unknown) => void;
}

/** A policy with its description, and the effect of an unsaved change. */
export function PolicyField(props: Props) {
  const { policy, value, isChanged, mayChange } = props;
  if (!mayChange) {
    return (
      <Box className={classes.field}>
        <Text size="sm" fw={550}>
          {policy.label}
        </Text>
        <Text size="xs" c="dimmed">
          {policy.hint}
        </Text>
        <Text mt={4} fw={600}>
          {valueText(policy.kind, value)}
        </Text>
      </Box>
    );
  }
  return (
    <Box className={classes.field} data-changed={isChanged || undefined}>
      <Input {...props} />
      {isChanged && (
        <Text size="xs" mt={6}>
          <b>
            <Trans>Unsaved.</Trans>
          </b>{' '}
          {policy.effect}
        </Text>
      )}
    </Box>
  );
}

function Input({ policy: { label, hint, kind }, value, error, onChange }: Props) {
  const common = { label, error };
  switch (kind.is) {
    case 'number':
      return (
        <NumberInput
          {...common}
          description={`${hint} ${rangeText(kind)}`}
          value={value as number}
          onChange={onChange}
          min={kind.min}
          max={kind.max}
          clampBehavior="none"
          {...separators()}
          suffix={` ${unitText(kind.unit, value)}`}
          styles={SHORT}
        />
      );
    case 'choice':
      return (
        <NativeSelect
          {...common}
          description={hint}
          data={Object.entries(kind.options).map(([option, text]) => ({ value: option, label: text }))}
          value={String(value)}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
          styles={MIDDLING}
        />
      );
    case 'switch':
      return (
        <Switch
          {...common}
          description={hint}
          checked={Boolean(value)}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      );
    case 'text':
      return (
        <TextInput
          {...common}
          description={hint}
          value={String(value)}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
          placeholder={kind.example}
          styles={SHORT}
        />
      );
    case 'list':
    case 'names': {
      const ListInput = kind.is === 'names' ? NamesInput : TagsInput;
      return (
        <ListInput
          {...common}
          description={hint}
          value={value as string[]}
          onChange={onChange}
          placeholder={kind.example}
          acceptValueOnBlur
          clearable
          clearButtonProps={{ 'aria-label': t`Clear` }}
        />
      );
    }
  }
}
