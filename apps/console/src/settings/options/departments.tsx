import { t } from '@lingui/core/macro';
import { Options } from './options.tsx';

export default function Departments() {
  return <Options kind={{ path: '/api/v3/company/departments', one: 'department', many: t`Departments` }} />;
}
