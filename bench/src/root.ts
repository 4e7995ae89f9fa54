import { fileURLToPath } from 'node:url';
import { projectFile } from '#libs/project-files';

/** The project's folder, absolute, with a slash at its end; from the sources and from the build. */
export const ROOT = fileURLToPath(projectFile('./'));
