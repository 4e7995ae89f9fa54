import { useState } from 'react';
import {
  AcceptanceFields,
  type AcceptanceProblems,
  readAcceptance,
  useNeedsEnd,
} from '../acceptance-fields.tsx';
import { ACCEPT, type Target } from './bulk-act.tsx';
import { BulkDialog } from './bulk-dialog.tsx';

const DRAFT = 'accept many';

export function AcceptDialog({ target, onClose }: { target: Target; onClose: () => void }) {
  const [problems, setProblems] = useState<AcceptanceProblems>({});
  const needsEnd = useNeedsEnd();
  return (
    <BulkDialog
      act={ACCEPT}
      draft={DRAFT}
      target={target}
      onClose={onClose}
      inputOf={(form) => {
        const read = readAcceptance(form, needsEnd);
        if (!('problems' in read)) return read;
        setProblems(read.problems);
        return null;
      }}
    >
      <AcceptanceFields draft={DRAFT} needsEnd={needsEnd} problems={problems} onProblems={setProblems} />
    </BulkDialog>
  );
}
