import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Paper, Skeleton, Switch, Text, Title } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { type ReactNode, useId, useMemo } from 'react';
import { type Api, api } from '../../api/client.ts';
import { advice, DECISIONS } from '../../parts/decision.tsx';
import { LEVELS, levelNames } from '../../parts/severity.tsx';
import { Answered, Empty } from '../../parts/states.tsx';
import { ON_ENTRY, useMayChange } from '../act.ts';
import { Confirmation } from '../confirmation.tsx';
import classes from '../policies/policies.module.css';
import { SettingsForm } from '../settings-form.tsx';
import { useReplacedSetting } from '../use-replaced-setting.ts';
import { DaysField } from './days-field.tsx';
import { hasCatalogueDays, type SlaDraft, slaChangeCount, slaDraftOf, slaOf } from './sla-draft.ts';
import { slaErrorsOf } from './sla-errors.ts';

type Settings = Api['SettingsDto'];

export default function SlaSection() {
  const query = api.useQuery('get', '/api/v3/settings', {}, ON_ENTRY);
  return (
    <Answered query={query} waiting={<Skeleton height={500} />}>
      {(settings) => <SlaForm settings={settings} reread={async () => (await query.refetch()).data} />}
    </Answered>
  );
}

/** The SLA is one setting: a change replaces all of it. */
function SlaForm({ settings, reread }: { settings: Settings; reread: () => Promise<Settings | undefined> }) {
  const mayChange = useMayChange('settings:write');
  const stored = useMemo(() => slaDraftOf(settings), [settings]);
  const edited = useReplacedSetting<SlaDraft>({
    stored,
    reread,
    setting: 'sla',
    outcomes: { saved: t`The SLA is saved and in effect.`, removed: t`The SLA was removed.` },
  });
  const { draft, from, change, save, isRemoving } = edited;
  const failure = isRemoving ? null : save.error;
  const { fields, general } = slaErrorsOf(failure);
  const isSet = settings.sla !== null;
  const count = from ? slaChangeCount(draft, from) : 0;

  if (!isSet && !mayChange)
    return (
      <Empty title={t`No SLA is set`}>
        <Trans>Only admins can set it.</Trans>
      </Empty>
    );
  return (
    <>
      <SettingsForm
        count={count}
        failure={failure}
        error={general}
        isBusy={save.isPending}
        onSave={() => save.mutate({ body: { sla: slaOf(draft), version: draft.version } })}
        onDiscard={edited.discard}
      >
        {count > 0 && <Effect of={draft} />}
        <Classes
          title={t`By severity`}
          hint={t`Days from the beginning of the failing period: since a finding is first seen, or failed again after it was remedied. 1 to 3,650 days; empty: none. If several apply, the fewest do.`}
        >
          {LEVELS.map((level) => (
            <DaysField
              key={level}
              label={levelNames()[level]}
              value={draft.severity[level]}
              isChanged={from !== null && draft.severity[level] !== from.severity[level]}
              error={fields[`severity.${level}`]}
              onChange={
                mayChange ? (days) => change({ severity: { ...draft.severity, [level]: days } }) : null
              }
            />
          ))}
        </Classes>
        <Classes
          title={t`By SSVC decision and known exploitation`}
          hint={t`Of failed findings with a CVE. The decision changes with the catalogues, and the due date with it.`}
        >
          {DECISIONS.map((decision) => (
            <DaysField
              key={decision}
              label={decision}
              description={advice()[decision]}
              value={draft.ssvc[decision]}
              isChanged={from !== null && draft.ssvc[decision] !== from.ssvc[decision]}
              error={fields[`ssvc.${decision}`]}
              onChange={mayChange ? (days) => change({ ssvc: { ...draft.ssvc, [decision]: days } }) : null}
            />
          ))}
          <DaysField
            label={t`Known exploited (KEV)`}
            description={t`With a CVE of CISA's catalogue of known exploited vulnerabilities`}
            value={draft.kev}
            isChanged={from !== null && draft.kev !== from.kev}
            error={fields.kev}
            onChange={mayChange ? (kev) => change({ kev }) : null}
          />
        </Classes>
        <Classes title={t`Exceptions`}>
          <Switch
            style={{ gridColumn: '1 / -1' }}
            label={t`Acceptances require an end`}
            description={t`Users can accept a finding only until a time. Acceptances without an end stay as they are.`}
            checked={draft.exceptionsNeedEnd}
            disabled={!mayChange}
            onChange={({ currentTarget: { checked } }) => change({ exceptionsNeedEnd: checked })}
          />
        </Classes>
        {mayChange && isSet && (
          <Group>
            <Button
              variant="default"
              leftSection={<IconTrash size={16} aria-hidden />}
              onClick={() => edited.setRemoving(true)}
            >
              <Trans>Remove the SLA</Trans>
            </Button>
          </Group>
        )}
      </SettingsForm>
      {isRemoving && (
        <Confirmation
          title={t`Remove the SLA?`}
          act={t`Remove`}
          isBusy={save.isPending}
          error={save.error}
          onAct={() => save.mutate({ body: { sla: null, version: settings.version } })}
          onClose={() => edited.setRemoving(false)}
        >
          <Trans>
            Findings keep only the due dates that users have set. The audit trail keeps the removed days, and
            past times show the due dates of that time.
          </Trans>
        </Confirmation>
      )}
    </>
  );
}

/** What a save of the draft changes. */
const Effect = ({ of: draft }: { of: SlaDraft }) => (
  <Paper withBorder p="md" role="status">
    <Text size="sm">
      <Trans>
        <b>Unsaved.</b> The days apply at once to all findings that are not remedied: their due dates move,
        and some can be overdue then. Whether remedied findings met their time is evaluated again. Due dates
        that users have set do not change, and past times show the SLA of that time.
      </Trans>
    </Text>
    {hasCatalogueDays(draft) && (
      <Text size="sm" mt="xs">
        <Trans>
          With days by decision or known exploitation, lists of past times cannot be filtered or sorted by due
          date, because past decisions are not stored.
        </Trans>
      </Text>
    )}
  </Paper>
);

function Classes({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
  const id = useId();
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id}>
      <Title order={2} size="h4" id={id} mb={hint ? 0 : 'sm'}>
        {title}
      </Title>
      {hint && (
        <Text size="sm" c="dimmed" mb="md" maw="80ch">
          {hint}
        </Text>
      )}
      <div className={classes.days}>{children}</div>
    </Paper>
  );
}
