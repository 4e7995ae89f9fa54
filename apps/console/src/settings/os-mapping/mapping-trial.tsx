import { Paper, Text, TextInput } from '@mantine/core';
import type { Draft, Row } from './mapping.ts';
import { typesOf } from './mapping-row.tsx';

/** What the list, as it is edited, makes of an operating system. */
export function MappingTrial({
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
        label="Try an operating system"
        description="Its name as a source tells it; it is tried against the list below, unsaved changes included."
        placeholder="Windows Server 2022 Datacenter"
        value={os}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        maw={520}
      />
      <Text size="sm" mt="xs" role="status" mih={22}>
        {os.trim() !== '' && (
          <>
            <b>{typing.assetType}</b> on the attack surface <b>{typing.attackSurface}</b>, with{' '}
            {typesOf(typing.supports)}
            {match
              ? ` – by row ${rows.indexOf(match) + 1}, ${match.osPattern}`
              : ' – by the default: no row matches'}
          </>
        )}
      </Text>
    </Paper>
  );
}
