import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Autocomplete, Button, Group, Paper, Skeleton, Text, Title } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { type Api, api } from '../../api/client.ts';
import { Answered, Empty } from '../../parts/states.tsx';
import { ON_ENTRY, useMayChange } from '../act.ts';
import { Confirmation } from '../confirmation.tsx';
import { SettingsForm } from '../settings-form.tsx';
import { useReplacedSetting } from '../use-replaced-setting.ts';
import { DepartmentRanges } from './department-ranges.tsx';
import {
  type DraftDepartment,
  type LossDraft,
  lossChangeCount,
  lossDraftOf,
  lossRowsOf,
  newDepartment,
} from './loss-draft.ts';
import { lossErrorsOf } from './loss-errors.ts';
import { RangeTable } from './range-table.tsx';

type Settings = Api['SettingsDto'];

const CURRENCIES = Intl.supportedValuesOf('currency');
/** Of the setting. */
const DEPARTMENTS_MAX = 100;

export default function Loss() {
  const query = api.useQuery('get', '/api/v3/settings', {}, ON_ENTRY);
  return (
    <Answered query={query} waiting={<Skeleton height={500} />}>
      {(settings) => <LossForm settings={settings} reread={async () => (await query.refetch()).data} />}
    </Answered>
  );
}

/** The ranges are one setting: a change replaces all of them. */
function LossForm({ settings, reread }: { settings: Settings; reread: () => Promise<Settings | undefined> }) {
  const mayChange = useMayChange('settings:write');
  const stored = useMemo(() => lossDraftOf(settings), [settings]);
  const edited = useReplacedSetting<LossDraft>({
    stored,
    reread,
    setting: 'loss',
    outcomes: {
      saved: t`The loss ranges are saved and in effect.`,
      removed: t`The loss ranges were removed.`,
    },
  });
  const { draft, from, change, save, isRemoving } = edited;
  const [sent, setSent] = useState(draft);
  const count = from ? lossChangeCount(draft, from) : 0;
  const failure = isRemoving ? null : save.error;
  const { fields, general } = lossErrorsOf(failure, sent);
  const isSet = settings.loss.length > 0;
  const { currency } = draft;

  if (!isSet && !mayChange) {
    return (
      <Empty title={t`No loss ranges are set`}>
        <Trans>Only admins can set them.</Trans>
      </Empty>
    );
  }
  return (
    <>
      <SettingsForm
        count={count}
        failure={failure}
        error={general}
        isBusy={save.isPending}
        onSave={() => {
          setSent(draft);
          const loss = lossRowsOf(draft).map(({ row }) => row);
          save.mutate({ body: { loss, version: draft.version } });
        }}
        onDiscard={edited.discard}
      >
        <Paper withBorder p="md" component="section" aria-labelledby="all-ranges">
          <Title order={2} size="h4" id="all-ranges">
            <Trans>All departments</Trans>
          </Title>
          <Text size="sm" c="dimmed" mb="md" maw="70ch">
            <Trans>
              Cost of one compromised asset by its criticality: incident response, downtime, data, fines. An
              asset without criticality has the range of medium. Assets of a level without a range have no
              loss.
            </Trans>
          </Text>
          {mayChange ? (
            <Autocomplete
              label={t`Currency`}
              description={t`ISO 4217 code`}
              placeholder="EUR"
              dir="ltr"
              data={CURRENCIES}
              limit={20}
              value={currency}
              onChange={(changed) => change({ currency: changed })}
              error={fields.currency}
              maw={240}
              mb="md"
            />
          ) : (
            <Text mb="md">
              <Trans>
                Currency <b>{currency}</b>
              </Trans>
            </Text>
          )}
          <RangeTable
            label={t`Losses of all departments`}
            of={t`all departments`}
            ranges={draft.ranges}
            errors={fields}
            none={t`no loss`}
            onChange={mayChange ? (ranges) => change({ ranges }) : null}
          />
        </Paper>
        <Departments
          of={draft.departments}
          errors={fields}
          onChange={mayChange ? (departments) => change({ departments }) : null}
        />
        {mayChange && isSet && (
          <Group>
            <Button
              variant="default"
              leftSection={<IconTrash size={16} aria-hidden />}
              onClick={() => edited.setRemoving(true)}
            >
              <Trans>Remove all ranges</Trans>
            </Button>
          </Group>
        )}
      </SettingsForm>
      {isRemoving && (
        <Confirmation
          title={t`Remove all loss ranges?`}
          act={t`Remove`}
          isBusy={save.isPending}
          error={save.error}
          onAct={() => save.mutate({ body: { loss: [], version: settings.version } })}
          onClose={() => edited.setRemoving(false)}
        >
          <Trans>Amounts are no longer shown. The audit trail keeps the removed ranges.</Trans>
        </Confirmation>
      )}
    </>
  );
}

/** Departments with their own ranges. @param errors by path within the setting */
function Departments({
  of: departments,
  errors,
  onChange,
}: {
  of: readonly DraftDepartment[];
  errors: Readonly<Record<string, string>>;
  onChange: ((departments: readonly DraftDepartment[]) => void) | null;
}) {
  const known = api.useQuery(
    'get',
    '/api/v3/company/departments',
    { params: { query: { limit: 500 } } },
    { enabled: onChange !== null },
  );
  const names = known.data?.items.map(({ name }) => name) ?? [];
  return (
    <>
      {departments.map((department, i) => (
        <DepartmentRanges
          key={department.id}
          of={department}
          names={names}
          errors={errorsWithin(errors, `byDepartment.${i}`)}
          onChange={
            onChange &&
            ((changed) => onChange(departments.map((one) => (one.id === changed.id ? changed : one))))
          }
          onRemove={() => onChange?.(departments.filter((one) => one !== department))}
        />
      ))}
      {onChange && departments.length < DEPARTMENTS_MAX && (
        <Group>
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => onChange([...departments, newDepartment()])}
          >
            <Trans>Add ranges of a department</Trans>
          </Button>
        </Group>
      )}
    </>
  );
}

/** Messages below a path; of the path itself with the key ''. */
const errorsWithin = (errors: Readonly<Record<string, string>>, path: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(errors).flatMap(([at, message]) => {
      if (at === path) return [['', message]];
      return at.startsWith(`${path}.`) ? [[at.slice(path.length + 1), message]] : [];
    }),
  );
