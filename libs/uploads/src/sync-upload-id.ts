import { uuidV5 } from '#libs/domain';

const pageUploadId = uuidV5('9c0a4a4e-6d4b-4c55-9a43-0d5d1f2f7b61');

/** Of an upload of a sync, by its number from 1. */
export const syncUploadId = (syncId: string, upload: number): string => pageUploadId(`${syncId}\n${upload}`);
