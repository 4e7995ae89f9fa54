import { statfs } from 'node:fs/promises';

/** A file system, in bytes. */
export interface Disk {
  freeBytes: number;
  sizeBytes: number;
}

/** The file system of a directory; null if there is no such directory, as for a program without files. */
export async function diskOf(directory: string): Promise<Disk | null> {
  const disk = await statfs(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return disk && { freeBytes: disk.bavail * disk.bsize, sizeBytes: disk.blocks * disk.bsize };
}
