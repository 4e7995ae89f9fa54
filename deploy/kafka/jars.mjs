// The broker's jars.
import { fileURLToPath } from 'node:url';
import { MavenFolder } from '../maven.mjs';

const jars = new MavenFolder({
  name: 'kafka',
  pom: fileURLToPath(new URL('./pom.xml', import.meta.url)),
  goal: ['dependency:copy-dependencies', '-DincludeScope=runtime'],
});

/** Why no broker can be started on this machine, as a sentence; undefined where one can. */
export const whyNoBroker = () => jars.whyNot();

/** Folder of the jars; takes them with Maven where they are missing (43 MB). Several processes may ask at once. */
export const brokerJars = () => jars.take();
