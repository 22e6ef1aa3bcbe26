import { rmSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { type Browser, chromium, type LaunchOptions } from 'playwright-core'

/** Chromium unpacked from its package, with the libraries that a minimal machine may lack. */
export interface UnpackedChromium {
  launch: LaunchOptions
  remove(): Promise<void>
}

/** Unpacks Chromium into a new folder. This takes a second, and 200 MB of disk space. */
export async function unpackChromium(): Promise<UnpackedChromium> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-chromium-'))
  // Also remove the folder at exit, because a run that is interrupted twice skips its last steps.
  const removeAtExit = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', removeAtExit)
  const remove = async () => {
    process.off('exit', removeAtExit)
    await rm(folder, { recursive: true, force: true })
  }
  try {
    // The package unpacks into the temporary folder, and unpacks its shared libraries only on AWS Lambda. Environment
    // variables control both, so unpack in a process with another environment.
    const { stdout: executablePath } = await execa(process.execPath, ['--input-type=module', '-e', UNPACK], {
      cwd: import.meta.dirname,
      env: { TMPDIR: folder, TEMP: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' },
    })
    const home = join(folder, 'home')
    await mkdir(home)
    const fontconfig = join(folder, 'fonts.conf')
    await writeFile(fontconfig, fontsIn(folder))
    const env = {
      ...definedOf(process.env),
      HOME: home,
      TMPDIR: home,
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
      FONTCONFIG_FILE: fontconfig,
    }
    return { launch: { executablePath, env, args: FLAGS }, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

const UNPACK = `
  const { default: chromium } = await import('@sparticuz/chromium')
  process.stdout.write(await chromium.executablePath())`

const FLAGS = [
  // Tests must not depend on a network: requests to other hosts fail at once, unless the test handles them.
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost',
  // There is no GPU, and emulating one is slower.
  '--disable-gpu',
  // All pages of a context share a process: see `idlePage` in tests/support/browser.ts.
  '--renderer-process-limit=1',
  // Makes text equally wide on all machines.
  '--font-render-hinting=none',
]

/**
 * Font configuration, because text without fonts has no width. The machine's fonts are used for scripts that the packed
 * font lacks.
 */
const fontsIn = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, 'fonts')}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${join(folder, 'fonts-cache')}</cachedir>
  <cachedir>/var/cache/fontconfig</cachedir>
  <alias binding="strong"><family>sans-serif</family><prefer><family>Open Sans</family></prefer></alias>
</fontconfig>
`

function definedOf(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

/** Starts a Chromium for a script outside of tests. Closing it removes it. */
export async function launchBrowser(): Promise<{ browser: Browser; close(): Promise<void> }> {
  const unpacked = await unpackChromium()
  try {
    const browser = await chromium.launch(unpacked.launch)
    return {
      browser,
      async close() {
        await browser.close()
        await unpacked.remove()
      },
    }
  } catch (error) {
    await unpacked.remove()
    throw error
  }
}
