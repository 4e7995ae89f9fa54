import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Paper, Text, TextInput } from '@mantine/core';
import type { Draft, Row } from './mapping.ts';
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
  const typing = match ?? fallback;
  return (
    <Paper withBorder p="md">
      <TextInput
        label={t`Test an operating system name`}
        description={t`The name as reported by a source. It is tested against the list below, including unsaved changes.`}
        placeholder={t`Windows Server 2022 Datacenter`}
        value={os}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        maw={520}
      />
      <Text size="sm" mt="xs" role="status" mih={22}>
        {os.trim() !== '' && (
          <Trans>
            <b>{typing.assetType}</b>, attack surface <b>{typing.attackSurface}</b>, supports{' '}
            {typesOf(typing.supports)}
            {match ? ` (row ${rows.indexOf(match) + 1}, ${match.osPattern})` : ' (default, no row matches)'}
          </Trans>
        )}
      </Text>
    </Paper>
  );
}
