import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { NumberInput, Table, Text } from '@mantine/core';
import classes from './loss.module.css';
import { type Bound, type DraftRanges, LEVELS, type Level } from './loss-draft.ts';

const BOUNDS: Record<Bound, { header: string; meaning: string }> = {
  min: { header: 'Minimum', meaning: 'exceeded in 95 of 100 cases' },
  max: { header: 'Maximum', meaning: 'exceeded in 5 of 100 cases' },
};
const BOTH = ['min', 'max'] as const;

interface Props {
  /** Whose assets: label for screen readers. */
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
export function RangeTable({ of, ranges, errors, onChange, none }: Props) {
  const set = (level: Level, bound: Bound, amount: number | string) =>
    onChange?.({ ...ranges, [level]: { ...ranges[level], [bound]: amount } });
  return (
    <>
      <Table
        className={classes.ranges}
        aria-label={t`Losses of ${of}`}
        data-edited={onChange !== null || undefined}
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">
              <Trans>Criticality</Trans>
            </Table.Th>
            {BOTH.map((bound) => (
              <Table.Th key={bound} scope="col">
                {BOUNDS[bound].header}
                <small>{BOUNDS[bound].meaning}</small>
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {LEVELS.map((level) => (
            <Table.Tr key={level}>
              <Table.Th scope="row">{nameOf(level)}</Table.Th>
              {BOTH.map((bound) => (
                <Table.Td key={bound}>
                  {onChange ? (
                    <NumberInput
                      aria-label={`${nameOf(level)}, ${BOUNDS[bound].header.toLowerCase()}, ${of}`}
                      value={ranges[level][bound]}
                      onChange={(amount) => set(level, bound, amount)}
                      placeholder={none}
                      clampBehavior="none"
                      thousandSeparator=","
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
  const path = t`byCriticality.${level}`;
  return errors[`${path}.${bound}`] ?? (bound === 'min' ? errors[path] : undefined);
};

const nameOf = (level: Level): string => level.charAt(0).toUpperCase() + level.slice(1);

const amountText = (amount: number | string, none: string): string =>
  typeof amount === 'number' ? amount.toLocaleString() : none;
