import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Paper, Table, Text, Title } from '@mantine/core';
import type { Api } from '../../api/client.ts';
import { assetsText } from '../../parts/asset-count.ts';
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
        {changed.assets === 0
          ? t`No asset changes its owner.`
          : t`${assetsText(changed.assets)} with ${openFindings(changed.findings)} would change the owner.`}{' '}
        {unowned.assets > 0 &&
          t`${assetsText(unowned.assets)} with ${openFindings(unowned.findings)} would have none.`}
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
                <Table.Th ta="right">
                  <Trans>Assets now</Trans>
                </Table.Th>
                <Table.Th ta="right">
                  <Trans>Assets then</Trans>
                </Table.Th>
                <Table.Th ta="right">
                  <Trans>Open findings now</Trans>
                </Table.Th>
                <Table.Th ta="right">
                  <Trans>Open findings then</Trans>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {owners.map(({ owner, before, after }) => (
                <Table.Tr key={`${owner.type} ${owner.name}`} className={classes.row}>
                  <Table.Td>{responsibleText(owner)}</Table.Td>
                  <Table.Td ta="right">{before.assets.toLocaleString()}</Table.Td>
                  <Table.Td ta="right">{after.assets.toLocaleString()}</Table.Td>
                  <Table.Td ta="right">{before.findings.toLocaleString()}</Table.Td>
                  <Table.Td ta="right">{after.findings.toLocaleString()}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </section>
      )}
    </Paper>
  );
}

const openFindings = (count: number): string =>
  `${count.toLocaleString()} open ${count === 1 ? 'finding' : 'findings'}`;
