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
      <PageTitle above={<AppLink to="/uploads">Uploads</AppLink>}>
        {isUnknown ? 'Upload not found' : 'Upload'}
      </PageTitle>
      {isUnknown && (
        <Empty title="No upload has this ID">The link may be incomplete or from another installation.</Empty>
      )}
      {error && !isUnknown && <Failed error={error} onRetry={() => void refetch()} />}
      {!error && <Skeleton height={320} />}
    </>
  );
}
