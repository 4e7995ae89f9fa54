import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { NumberInput, Table, Text } from '@mantine/core';
import { number, separators } from '../../language/format.ts';
import { LEVELS, type Level, levelNames } from '../../parts/severity.tsx';
import classes from './loss.module.css';
import type { Bound, DraftRanges } from './loss-draft.ts';

const bounds = (): Record<Bound, { header: string; meaning: string }> => ({
  min: { header: t`Minimum`, meaning: t`exceeded in 95 of 100 cases` },
  max: { header: t`Maximum`, meaning: t`exceeded in 5 of 100 cases` },
});
const BOTH = ['min', 'max'] as const;

interface Props {
  /** Of the table, for screen readers. */
  label: string;
  /** Whose assets: part of the labels of the fields. */
  of: string;
  ranges: DraftRanges;
  /** Messages by path, such as `byCriticality.low.min`; of a whole range without the bound. */
  errors: Readonly<Record<string, string>>;
  /** Null if the user cannot change them. */
  onChange: ((ranges: DraftRanges) => void) | null;
  /** Text for a range that is not set. */
  none: string;
}

/** A range of losses for each criticality. */
export function RangeTable({ label, of, ranges, errors, onChange, none }: Props) {
  const set = (level: Level, bound: Bound, amount: number | string) =>
    onChange?.({ ...ranges, [level]: { ...ranges[level], [bound]: amount } });
  const words = bounds();
  return (
    <>
      <Table className={classes.ranges} aria-label={label} data-edited={onChange !== null || undefined}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">
              <Trans>Criticality</Trans>
            </Table.Th>
            {BOTH.map((bound) => (
              <Table.Th key={bound} scope="col">
                {words[bound].header}
                <small>{words[bound].meaning}</small>
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {LEVELS.map((level) => (
            <Table.Tr key={level}>
              <Table.Th scope="row">{levelNames()[level]}</Table.Th>
              {BOTH.map((bound) => (
                <Table.Td key={bound}>
                  {onChange ? (
                    <NumberInput
                      aria-label={fieldLabel(level, bound, of)}
                      value={ranges[level][bound]}
                      onChange={(amount) => set(level, bound, amount)}
                      placeholder={none}
                      clampBehavior="none"
                      {...separators()}
                      decimalScale={2}
                      hideControls
                      error={errorAt(errors, level, bound)}
                    />
                  ) : (
                    amountText(ranges[level][bound], none)
                  )}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {errors.byCriticality && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert">
          {errors.byCriticality}
        </Text>
      )}
    </>
  );
}

/** An error of the whole range is shown at its first field. */
const errorAt = (errors: Props['errors'], level: Level, bound: Bound): string | undefined => {
  const path = `byCriticality.${level}`;
  return errors[`${path}.${bound}`] ?? (bound === 'min' ? errors[path] : undefined);
};

function fieldLabel(level: Level, bound: Bound, of: string): string {
  const name = levelNames()[level];
  return bound === 'min' ? t`${name}, minimum, ${of}` : t`${name}, maximum, ${of}`;
}

const amountText = (amount: number | string, none: string): string =>
  typeof amount === 'number' ? number(amount) : none;
