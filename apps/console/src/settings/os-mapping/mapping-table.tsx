import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Paper, Table, Text } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import type { RowActs } from '../ordered-rows.ts';
import { RowAct } from '../row-act.tsx';
import type { Draft, Row } from './mapping.ts';
import { MappingRow, typesOf } from './mapping-row.tsx';
import classes from './os-mapping.module.css';

/** @param errors by row id; `default` for the default */
export function MappingTable({
  draft: { rows, fallback },
  match,
  errors,
  acts,
  onEditDefault,
}: {
  draft: Draft;
  match: Row | undefined;
  errors: Readonly<Record<string, string>>;
  acts: RowActs<Row> | null;
  onEditDefault: () => void;
}) {
  return (
    <Paper withBorder p="sm">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <section className={classes.scroll} aria-label={t`OS mapping`} tabIndex={0}>
        <Table verticalSpacing={4} highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={50}>
                <Trans>Row</Trans>
              </Table.Th>
              <Table.Th>
                <Trans>Pattern</Trans>
              </Table.Th>
              <Table.Th>
                <Trans>Asset type</Trans>
              </Table.Th>
              <Table.Th>
                <Trans>Attack surface</Trans>
              </Table.Th>
              <Table.Th>
                <Trans>Supports</Trans>
              </Table.Th>
              {acts && (
                <Table.Th ta="end">
                  <Trans>Actions</Trans>
                </Table.Th>
              )}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row, i) => (
              <MappingRow
                key={row.id}
                row={row}
                number={i + 1}
                isLast={i === rows.length - 1}
                isMatch={row === match}
                error={errors[row.id]}
                acts={acts}
              />
            ))}
            <Table.Tr
              className={`${classes.row} ${classes.default}`}
              data-error={'default' in errors || undefined}
            >
              <Table.Td colSpan={2}>
                <Trans>
                  <b>Default</b>, if no row matches
                </Trans>
                {'default' in errors && (
                  <Text size="xs" c="var(--mantine-color-error)" role="alert">
                    {errors.default}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                <bdi>{fallback.assetType}</bdi>
              </Table.Td>
              <Table.Td>
                <bdi>{fallback.attackSurface}</bdi>
              </Table.Td>
              <Table.Td>
                <Text size="xs" c="dimmed">
                  {typesOf(fallback.supports)}
                </Text>
              </Table.Td>
              {acts && (
                <Table.Td ta="end">
                  <RowAct label={t`Change the default`} onClick={onEditDefault}>
                    <IconPencil size={16} aria-hidden />
                  </RowAct>
                </Table.Td>
              )}
            </Table.Tr>
          </Table.Tbody>
        </Table>
      </section>
    </Paper>
  );
}
