import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Skeleton } from '@mantine/core';
import { useParams } from 'react-router';
import { AppLink } from '../app/links.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { Empty, Failed } from '../parts/states.tsx';
import { UploadReport } from './upload-report.tsx';
import { useUpload } from './use-upload.ts';

const NO_SUCH = new Set([400, 404]);

export function Component() {
  const { id = '' } = useParams();
  const { data: upload, error, refetch } = useUpload(id);
  if (upload) return <UploadReport upload={upload} />;
  const isUnknown = error && !(error instanceof Error) && NO_SUCH.has(error.statusCode);
  return (
    <>
      <PageTitle
        above={
          <AppLink to="/uploads">
            <Trans>Uploads</Trans>
          </AppLink>
        }
      >
        {isUnknown ? t`Upload not found` : t`Upload`}
      </PageTitle>
      {isUnknown && (
        <Empty title={t`No upload has this ID`}>
          <Trans>The link may be incomplete or from another installation.</Trans>
        </Empty>
      )}
      {error && !isUnknown && <Failed error={error} onRetry={() => void refetch()} />}
      {!error && <Skeleton height={320} />}
    </>
  );
}
