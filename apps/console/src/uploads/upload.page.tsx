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
        {isUnknown ? 'No such upload' : 'Upload'}
      </PageTitle>
      {isUnknown && (
        <Empty title="No upload is known under this address">
          The link may be cut short, or of another installation.
        </Empty>
      )}
      {error && !isUnknown && <Failed error={error} onRetry={() => void refetch()} />}
      {!error && <Skeleton height={320} />}
    </>
  );
}
