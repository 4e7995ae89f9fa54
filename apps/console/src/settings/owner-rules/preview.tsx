import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Paper, Table, Text, Title } from '@mantine/core';
import type { Api } from '../../api/client.ts';
import { number } from '../../language/format.ts';
import { responsibleText } from '../../parts/responsible.tsx';
import classes from './owner-rules.module.css';

/** What edited rules would change, by owner. */
export function Preview({ of: { changed, unowned, owners } }: { of: Api['OwnerRulesPreviewDto'] }) {
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="owner-preview">
      <Title order={2} size="h4" id="owner-preview">
        <Trans>Preview</Trans>
      </Title>
      <Text size="sm" mb="sm" role="status">
        {changedText(changed)} {unowned.assets > 0 && unownedText(unowned)}
      </Text>
      {owners.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
        <section className={classes.scroll} aria-label={t`Owners`} tabIndex={0}>
          <Table verticalSpacing={4}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>
                  <Trans>Owner</Trans>
                </Table.Th>
                <Table.Th ta="end">
                  <Trans>Assets now</Trans>
                </Table.Th>
                <Table.Th ta="end">
                  <Trans>Assets then</Trans>
                </Table.Th>
                <Table.Th ta="end">
                  <Trans>Open findings now</Trans>
                </Table.Th>
                <Table.Th ta="end">
                  <Trans>Open findings then</Trans>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {owners.map(({ owner, before, after }) => (
                <Table.Tr key={`${owner.type} ${owner.name}`} className={classes.row}>
                  <Table.Td>
                    <bdi>{responsibleText(owner)}</bdi>
                  </Table.Td>
                  <Table.Td ta="end">{number(before.assets)}</Table.Td>
                  <Table.Td ta="end">{number(after.assets)}</Table.Td>
                  <Table.Td ta="end">{number(before.findings)}</Table.Td>
                  <Table.Td ta="end">{number(after.findings)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </section>
      )}
    </Paper>
  );
}

type Counts = Api['OwnedCountsDto'];

function changedText({ assets, findings }: Counts): string {
  if (assets === 0) return t`No asset changes its owner.`;
  return t`${plural(assets, { one: '# asset', other: '# assets' })} with ${plural(findings, {
    one: '# open finding',
    other: '# open findings',
  })} would change the owner.`;
}

const unownedText = ({ assets, findings }: Counts): string =>
  t`${plural(assets, { one: '# asset', other: '# assets' })} with ${plural(findings, {
    one: '# open finding',
    other: '# open findings',
  })} would have none.`;
