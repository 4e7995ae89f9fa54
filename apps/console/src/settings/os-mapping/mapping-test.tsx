import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Paper, Text, TextInput } from '@mantine/core';
import type { Draft, Row, Typing } from './mapping.ts';
import { typesOf } from './mapping-row.tsx';

/** Tests an operating system name against the edited list. */
export function MappingTest({
  os,
  onChange,
  match,
  draft: { rows, fallback },
}: {
  os: string;
  onChange: (os: string) => void;
  match: Row | undefined;
  draft: Draft;
}) {
  return (
    <Paper withBorder p="md">
      <TextInput
        label={t`Test an operating system name`}
        description={t`The name as reported by a source. It is tested against the list below, including unsaved changes.`}
        placeholder="Windows Server 2022 Datacenter"
        value={os}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        maw={520}
      />
      <Text size="sm" mt="xs" role="status" mih={22}>
        {os.trim() !== '' &&
          (match ? <Match row={match} place={rows.indexOf(match) + 1} /> : <NoMatch of={fallback} />)}
      </Text>
    </Paper>
  );
}

function Match({ row, place }: { row: Row; place: number }) {
  const { assetType, attackSurface, osPattern } = row;
  const types = typesOf(row.supports);
  return (
    <Trans>
      <b dir="auto">{assetType}</b>, attack surface <b dir="auto">{attackSurface}</b>, supports {types} (row{' '}
      {place}, <bdi>{osPattern}</bdi>)
    </Trans>
  );
}

function NoMatch({ of: { assetType, attackSurface, supports } }: { of: Typing }) {
  const types = typesOf(supports);
  return (
    <Trans>
      <b dir="auto">{assetType}</b>, attack surface <b dir="auto">{attackSurface}</b>, supports {types}{' '}
      (default, no row matches)
    </Trans>
  );
}
