import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, Paper, Table, Text } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import type { Api } from '../../api/client.ts';
import { list, number } from '../../language/format.ts';
import { responsibleText } from '../../parts/responsible.tsx';
import { MoveButtons } from '../move-buttons.tsx';
import type { RowActs } from '../ordered-rows.ts';
import { RowAct } from '../row-act.tsx';
import classes from './owner-rules.module.css';
import { type Row, tagText } from './rules.ts';

/**
 * The rules in their order.
 * @param counts what each rule matches; null if it was not counted
 * @param errors by row id
 * @param acts null if the user cannot change the rules
 */
export function RuleTable({
  rows,
  counts,
  errors,
  acts,
}: {
  rows: readonly Row[];
  counts: readonly Api['OwnedCountsDto'][] | null;
  errors: Readonly<Record<string, string>>;
  acts: RowActs<Row> | null;
}) {
  return (
    <Paper withBorder p="sm">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <section className={classes.scroll} aria-label={t`Owner rules`} tabIndex={0}>
        <Table verticalSpacing={4} highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={50}>
                <Trans>Rule</Trans>
              </Table.Th>
              <Table.Th>
                <Trans>Assets with</Trans>
              </Table.Th>
              <Table.Th>
                <Trans>Owner</Trans>
              </Table.Th>
              {counts && (
                <Table.Th ta="end">
                  <Trans>Assets</Trans>
                </Table.Th>
              )}
              {counts && (
                <Table.Th ta="end">
                  <Trans>Open findings</Trans>
                </Table.Th>
              )}
              {acts && (
                <Table.Th ta="end">
                  <Trans>Actions</Trans>
                </Table.Th>
              )}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row, i) => (
              <Table.Tr key={row.id} data-error={row.id in errors || undefined} className={classes.row}>
                <Table.Td>{i + 1}</Table.Td>
                <Table.Td>
                  <Conditions of={row} />
                  {row.id in errors && (
                    <Text size="xs" c="var(--mantine-color-error)" role="alert">
                      {errors[row.id]}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>
                  <bdi>{responsibleText(row.owner)}</bdi>
                </Table.Td>
                {counts && <Table.Td ta="end">{countText(counts[i]?.assets)}</Table.Td>}
                {counts && <Table.Td ta="end">{countText(counts[i]?.findings)}</Table.Td>}
                {acts && (
                  <Table.Td>
                    <Acts row={row} place={i + 1} isLast={i === rows.length - 1} acts={acts} />
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
    </Paper>
  );
}

const countText = (count: number | undefined): string => (count === undefined ? '' : number(count));

/** @param place of the rule, from 1 */
function Acts({
  row,
  place,
  isLast,
  acts,
}: {
  row: Row;
  place: number;
  isLast: boolean;
  acts: RowActs<Row>;
}) {
  return (
    <Group gap={0} wrap="nowrap" justify="flex-end">
      <MoveButtons
        id={row.id}
        labels={{ up: t`Move rule ${place} up`, down: t`Move rule ${place} down` }}
        isFirst={place === 1}
        isLast={isLast}
        onMove={acts.move}
      />
      <RowAct label={t`Change rule ${place}`} onClick={() => acts.edit(row, place - 1)}>
        <IconPencil size={16} aria-hidden />
      </RowAct>
      <RowAct label={t`Remove rule ${place}`} onClick={() => acts.remove(row.id)}>
        <IconTrash size={16} aria-hidden />
      </RowAct>
    </Group>
  );
}

function Conditions({ of: { departments, locations, tags } }: { of: Row }) {
  const lists = [
    [t`Department`, list(departments, 'disjunction')],
    [t`Location`, list(locations, 'disjunction')],
    [t`Tags`, list(tags.map(tagText))],
  ].filter(([, text]) => text !== '');
  if (lists.length === 0) return t({ message: 'Any', context: 'assets' });
  return lists.map(([name, text]) => (
    <div key={name}>
      <Text span size="xs" c="dimmed">
        {name}
      </Text>{' '}
      <bdi>{text}</bdi>
    </div>
  ));
}
