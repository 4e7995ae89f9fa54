import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc'];

/** For `https.createServer`, in PEM. */
export interface Certificate {
  key: string;
  cert: string;
}

/** A temporary certificate authority, created with openssl and removed with its folder. */
export class TestAuthority {
  private constructor(
    private readonly folder: string,
    /** PEM. */
    readonly certificate: string,
  ) {}

  static async create(): Promise<TestAuthority> {
    const folder = await mkdtemp(join(tmpdir(), 'posture-authority-'));
    const subject = [
      '-subj',
      '/CN=Authority of a test',
      '-days',
      '2',
      '-addext',
      'keyUsage=critical,keyCertSign',
    ];
    await run('openssl', ['req', '-x509', ...NEW_KEY, '-keyout', 'ca.key', '-out', 'ca.pem', ...subject], {
      cwd: folder,
    });
    return new TestAuthority(folder, await readFile(join(folder, 'ca.pem'), 'utf8'));
  }

  /** The file of its certificate, for NODE_EXTRA_CA_CERTS. */
  get file(): string {
    return join(this.folder, 'ca.pem');
  }

  /** @param names such as `DNS:a.example` or `IP:127.0.0.1`; @param days negative: it has expired */
  async issue(names: string[], days = 2): Promise<Certificate> {
    const cwd = this.folder;
    const extension = ['-addext', `subjectAltName=${names.join(',')}`];
    await run(
      'openssl',
      ['req', '-new', ...NEW_KEY, '-keyout', 'key', '-out', 'csr', '-subj', '/CN=test', ...extension],
      {
        cwd,
      },
    );
    const signed = [
      '-CA',
      'ca.pem',
      '-CAkey',
      'ca.key',
      '-days',
      String(days),
      '-copy_extensions',
      'copyall',
    ];
    await run('openssl', ['x509', '-req', '-in', 'csr', ...signed, '-out', 'cert'], { cwd });
    const [key, cert] = await Promise.all(['key', 'cert'].map((file) => readFile(join(cwd, file), 'utf8')));
    return { key: key!, cert: cert! };
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}
