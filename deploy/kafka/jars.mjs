// The broker's jars.
import { fileURLToPath } from 'node:url';
import { MavenFolder } from '../maven.mjs';

const jars = new MavenFolder({
  name: 'kafka',
  pom: fileURLToPath(new URL('./pom.xml', import.meta.url)),
  goal: ['dependency:copy-dependencies', '-DincludeScope=runtime'],
});

/** Why no broker can be started on this machine, as a sentence; undefined if one can. */
export const whyNoBroker = () => jars.whyNot();

/** Returns the folder of the jars. Downloads missing jars with Maven (43 MB). Safe for concurrent processes. */
export const brokerJars = () => jars.take();
