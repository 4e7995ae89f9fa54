import type { Api } from '../../api/client.ts';
import { DECISIONS, type SsvcDecision } from '../../parts/decision.tsx';
import { LEVELS, type Level } from '../../parts/severity.tsx';

type Stored = Api['SlaDto'];

/** Days as the field has them; '' if the field is empty. */
export type Days = number | string;

/** The edited SLA. */
export interface SlaDraft {
  severity: Record<Level, Days>;
  ssvc: Record<SsvcDecision, Days>;
  kev: Days;
  exceptionsNeedEnd: boolean;
  /** Version of the settings that the draft is based on. */
  version: number;
}

/** The stored SLA as a draft; empty if there is none. */
export const slaDraftOf = ({ sla, version }: Api['SettingsDto']): SlaDraft => ({
  severity: daysOf(LEVELS, sla?.severity),
  ssvc: daysOf(DECISIONS, sla?.ssvc),
  kev: sla?.kev ?? '',
  exceptionsNeedEnd: sla?.exceptionsNeedEnd ?? false,
  version,
});

const daysOf = <Class extends string>(
  classes: readonly Class[],
  given: Partial<Record<Class, number>> | undefined,
) => Object.fromEntries(classes.map((one) => [one, given?.[one] ?? ''])) as Record<Class, Days>;

/** The SLA as the service takes it. What is not a number is sent as it is, so that the service rejects it. */
export const slaOf = ({ severity, ssvc, kev, exceptionsNeedEnd }: SlaDraft): Stored =>
  ({
    severity: given(severity),
    ssvc: given(ssvc),
    kev: kev === '' ? null : kev,
    exceptionsNeedEnd,
  }) as Stored;

const given = (days: Record<string, Days>) =>
  Object.fromEntries(Object.entries(days).filter(([, value]) => value !== ''));

/** Number of changed fields. */
export const slaChangeCount = (draft: SlaDraft, stored: SlaDraft): number =>
  LEVELS.filter((level) => draft.severity[level] !== stored.severity[level]).length +
  DECISIONS.filter((decision) => draft.ssvc[decision] !== stored.ssvc[decision]).length +
  Number(draft.kev !== stored.kev) +
  Number(draft.exceptionsNeedEnd !== stored.exceptionsNeedEnd);

/** Whether due dates of the draft depend on the catalogues. */
export const hasCatalogueDays = ({ ssvc, kev }: SlaDraft): boolean =>
  kev !== '' || DECISIONS.some((decision) => ssvc[decision] !== '');
