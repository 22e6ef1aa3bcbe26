import { rmSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { type Browser, chromium, type LaunchOptions } from 'playwright-core'

/** Chromium as its package brings it, unpacked: a program with all it needs that a plain machine may lack. */
export interface UnpackedChromium {
  launch: LaunchOptions
  remove(): Promise<void>
}

/** Unpacks Chromium into a folder of its own: a second of work, and 200 MB until it is removed. */
export async function unpackChromium(): Promise<UnpackedChromium> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-chromium-'))
  // A run that is interrupted twice ends without its last steps.
  const removeAtExit = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', removeAtExit)
  const remove = async () => {
    process.off('exit', removeAtExit)
    await rm(folder, { recursive: true, force: true })
  }
  try {
    // The package unpacks into the folder for temporary files, and its shared libraries only where it believes to be at
    // home. Both are said by the environment, so it is asked in a process that has another one.
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
  // No test may depend on a network: what a page asks of others fails at once, unless the test answers it.
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost',
  // There is none, and what stands in for it is slower than to paint without.
  '--disable-gpu',
  // Text is as wide on one machine as on the next.
  '--font-render-hinting=none',
]

/** Text without any font has no width. The machine's own come second, for scripts that the packed one lacks. */
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

/** A Chromium for a script, outside of any run of tests. Closing it removes it. */
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
