import { readFileSync } from 'node:fs';
import { DockerfileParser, type From, type Instruction as Parsed } from 'dockerfile-ast';

export interface Instruction {
  keyword: string;
  /** Those before the arguments, such as `from` of COPY. */
  flags: Record<string, string>;
  /** Words, or the strings of the exec form. */
  args: string[];
  /** As it is written, after its flags. */
  text: string;
  isExecForm: boolean;
}

export interface Stage {
  name: string | null;
  /** An image, or the name of an earlier stage. */
  base: string;
  instructions: Instruction[];
}

/** The stages of the Dockerfile in their order; the last one is the image. */
export function readDockerfile(): Stage[] {
  const text = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8');
  const stages: Stage[] = [];
  for (const parsed of DockerfileParser.parse(text).getInstructions()) {
    if (parsed.getKeyword() === 'FROM') stages.push(stageOf(parsed as From));
    else stages.at(-1)!.instructions.push(instructionOf(parsed));
  }
  return stages;
}

/** The last instruction of its kind, which is the one that counts. */
export const lastOf = ({ instructions }: Stage, keyword: string): Instruction | undefined =>
  instructions.findLast((instruction) => instruction.keyword === keyword);

/** A stage and the stages that it is built from, in build order. */
export function lineageOf(stages: Stage[], stage: Stage): Stage[] {
  const base = stages.find(({ name }) => name === stage.base);
  return base ? [...lineageOf(stages, base), stage] : [stage];
}

const stageOf = (from: From): Stage => ({
  name: from.getBuildStage(),
  base: from.getImage()!,
  instructions: [],
});

interface MayHaveFlags {
  getFlags?: () => { getName(): string; getValue(): string | null }[];
}

function instructionOf(parsed: Parsed & MayHaveFlags): Instruction {
  const flags = (parsed.getFlags?.() ?? []).map((flag) => [flag.getName(), flag.getValue() ?? ''] as const);
  // HEALTHCHECK has its form after a keyword.
  const text = (parsed.getArgumentsContent() ?? '').replace(/^CMD\s+/, '');
  const isExecForm = text.startsWith('[');
  return {
    keyword: parsed.getKeyword(),
    flags: Object.fromEntries(flags),
    args: isExecForm ? JSON.parse(text) : parsed.getArguments().map((argument) => argument.getValue()),
    text,
    isExecForm,
  };
}
