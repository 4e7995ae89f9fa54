import { execFile } from 'node:child_process';
import { chmod, chown, cp, mkdir, mkdtemp, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { isLongRun } from '../support/long-run.ts';
import { CONTEXT, isCopied } from './build-context.ts';
import { type Instruction, lineageOf, readDockerfile, type Stage } from './dockerfile.ts';

const run = promisify(execFile);
const RUN_MS_MAX = 600_000;

/** The environment that npm gives to scripts must not reach another npm. */
const isOfThisRun = (name: string) =>
  /^(npm_(package|lifecycle|command|config_local_prefix).*|NODE_(ENV|OPTIONS))$/.test(name) ||
  name === 'INIT_CWD';

/**
 * The image of the Dockerfile, built without Docker: each stage is a folder, each instruction is executed in it. Three
 * things are not as in a container: the base image is this machine, a full `npm ci` is the one that the repository
 * already has, from the same lock file, and types are checked in a long run only.
 */
export class BuiltImage {
  private constructor(
    /** Folder for `/` of the image. */
    readonly root: string,
    readonly workdir: string,
    private readonly lineage: Stage[],
    private readonly folder: string,
  ) {}

  static async build(): Promise<BuiltImage> {
    const folder = await mkdtemp(join(tmpdir(), 'posture-image-'));
    await chmod(folder, 0o755);
    try {
      const stages = readDockerfile();
      const built = await buildStages(folder, stages);
      const lineage = lineageOf(stages, stages.at(-1)!);
      return new BuiltImage(built.root, built.workdir, lineage, folder);
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** ENV; a value that begins with a slash is a path in the image. */
  get env(): Record<string, string> {
    const assignments = this.all('ENV').flatMap(({ args }) => args);
    return Object.fromEntries(
      assignments.map((assignment) => {
        const [name, value] = assignment.split('=', 2) as [string, string];
        return [name, value.startsWith('/') ? join(this.root, value) : value];
      }),
    );
  }

  get entrypoint(): string[] {
    return this.all('ENTRYPOINT').at(-1)?.args ?? [];
  }

  /** Takes the right to write from everybody but in DATA_DIR: the root file system of the containers is read-only. */
  async makeReadOnly(): Promise<void> {
    await run('chmod', ['-R', 'a-w', join(this.root, this.workdir)]);
  }

  async remove(): Promise<void> {
    await run('chmod', ['-R', 'u+w', join(this.root, this.workdir)]);
    await rm(this.folder, { recursive: true, force: true });
  }

  private all(keyword: string): Instruction[] {
    return this.lineage.flatMap(({ instructions }) =>
      instructions.filter((instruction) => instruction.keyword === keyword),
    );
  }
}

interface StageFolder {
  root: string;
  workdir: string;
}

/** Those that do not need each other are built at once, as BuildKit does. */
async function buildStages(folder: string, stages: Stage[]): Promise<StageFolder> {
  const building = new Map<string, Promise<StageFolder>>();
  for (const [i, stage] of stages.entries()) {
    building.set(stage.name ?? `${i}`, buildStage(join(folder, stage.name ?? 'image'), stage, building));
  }
  const built = await Promise.all(building.values());
  return built.at(-1)!;
}

async function buildStage(
  root: string,
  { base, instructions }: Stage,
  others: ReadonlyMap<string, Promise<StageFolder>>,
): Promise<StageFolder> {
  await mkdir(root);
  const from = await others.get(base);
  if (from) await copyWhole(from.root, root);
  const stage = { root, workdir: from?.workdir ?? '/' };
  for (const instruction of instructions) await doIn(stage, instruction, others);
  return stage;
}

async function doIn(
  stage: StageFolder,
  instruction: Instruction,
  others: ReadonlyMap<string, Promise<StageFolder>>,
): Promise<void> {
  switch (instruction.keyword) {
    case 'WORKDIR':
      stage.workdir = resolve(stage.workdir, instruction.args[0]!);
      await mkdir(join(stage.root, stage.workdir), { recursive: true });
      break;
    case 'COPY':
      await copy(stage, instruction, await others.get(instruction.flags.from ?? ''));
      break;
    case 'RUN':
      await (instruction.isExecForm ? runInstall(stage, instruction) : runShell(stage, instruction));
      break;
    default: // The others change no file.
  }
}

async function copy(stage: StageFolder, { args }: Instruction, from?: StageFolder): Promise<void> {
  const [sources, target] = [args.slice(0, -1), args.at(-1)!];
  const into = join(stage.root, resolve(stage.workdir, target));
  for (const source of sources) {
    // A folder's contents are copied, not the folder; a target that ends with a slash is a folder.
    const to = target.endsWith('/') ? join(into, source) : into;
    if (from) await copyWhole(join(from.root, source), to);
    else await cp(join(CONTEXT, source), to, { recursive: true, filter: isCopied });
  }
}

/** By a program: many thousand files, which `cp` of Node copies several times slower. */
async function copyWhole(path: string, to: string): Promise<void> {
  const isFolder = (await stat(path)).isDirectory();
  if (isFolder) await mkdir(to, { recursive: true });
  await run('cp', ['-RP', isFolder ? `${path}/.` : path, to]);
}

async function runShell({ root, workdir }: StageFolder, { text }: Instruction): Promise<void> {
  const cwd = join(root, workdir);
  if (text.startsWith('npm ci') && !text.includes('--omit=dev')) {
    await symlink(join(CONTEXT, 'node_modules'), join(cwd, 'node_modules'));
    return;
  }
  const env = Object.entries(process.env).filter(([name]) => !isOfThisRun(name));
  const settings = { ...Object.fromEntries(env), npm_config_prefer_offline: 'true' };
  await run('sh', ['-c', isLongRun ? text : text.replace('tsc -p', 'tsc --noCheck -p')], {
    cwd,
    env: settings,
    timeout: RUN_MS_MAX,
  }).catch(({ stdout, stderr }) => {
    throw new Error(`RUN ${text}:\n${stdout}${stderr}`);
  });
}

/** `install --directory`, below the stage's root; a user other than root creates its own folders. */
async function runInstall({ root }: StageFolder, { args }: Instruction): Promise<void> {
  const option = (name: string) => args.find((arg) => arg.startsWith(`--${name}=`))?.split('=')[1];
  if (args[0] !== 'install' || !args.includes('--directory')) throw new Error(`not known here: ${args}`);
  for (const folder of args.filter((arg) => arg.startsWith('/')).map((path) => join(root, path))) {
    await mkdir(folder, { recursive: true });
    await chmod(folder, Number.parseInt(option('mode')!, 8));
    if (process.getuid?.() === 0) await chown(folder, Number(option('owner')), Number(option('group')));
  }
}
