import { t } from '@lingui/core/macro';
import { Options } from './options.tsx';

export default function Departments() {
  return (
    <Options
      kind={{
        path: '/api/v3/company/departments',
        many: t`Departments`,
        add: t`Add a department`,
        isNowDefault: t`This department is now the default.`,
        removal: t`Assets that have this department keep its name. Signals can no longer set it.`,
      }}
    />
  );
}
