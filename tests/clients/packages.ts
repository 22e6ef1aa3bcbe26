import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'

const LIST = fileURLToPath(new URL('packages.json', import.meta.url))
const SCRIPTS = fileURLToPath(new URL('scripts', import.meta.url))

/** Packages that do not run without their install scripts: opencode-ai puts the binary of this platform in its place. */
const PACKAGES_WITH_SCRIPTS = ['opencode-ai']

/** Versions by package. */
export async function listedPackages(): Promise<Record<string, string>> {
  return JSON.parse(await readFile(LIST, 'utf8'))
}

/**
 * Installs the listed packages into a folder of their own, CLIENTS_FOLDER or one in the system's temporary folder, unless they are there.
 * Returns the folder, with the scripts beside the packages that they import.
 */
export async function installClients(): Promise<string> {
  const folder = process.env.CLIENTS_FOLDER || join(tmpdir(), 'tollgate-clients')
  await mkdir(folder, { recursive: true })
  const wanted = JSON.stringify({
    name: 'clients',
    private: true,
    type: 'module',
    dependencies: await listedPackages(),
  })
  const installed = await readFile(join(folder, 'installed.json'), 'utf8').catch(() => '')
  if (installed !== wanted) {
    await writeFile(join(folder, 'package.json'), wanted)
    // Old versions want other versions of what they need beside them.
    const flags = ['--force', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
    await execa('npm', ['install', ...flags], { cwd: folder, stdio: 'inherit' })
    await execa('npm', ['rebuild', ...PACKAGES_WITH_SCRIPTS], { cwd: folder, stdio: 'inherit' })
    await writeFile(join(folder, 'installed.json'), wanted)
  }
  await cp(SCRIPTS, join(folder, 'scripts'), { recursive: true })
  return folder
}
